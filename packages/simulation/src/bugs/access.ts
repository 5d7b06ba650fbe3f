import { StorageUnavailable, type Stores } from '@slipstream/ports';
import type { Bug } from './bug.js';
import { withOperations, withReadStores, withStores } from './wrap.js';

const noOwnerCheck: Bug = {
  name: 'stream_without_owner_check',
  mistake: 'whoever asks gets the orders of a strategy on a stream',
  breaks: ['A1', 'A2'],
  streamApplication: (application, world) =>
    withOperations(application, {
      getOrders: async (caller, command) => {
        const [strategy] = world.database.rows<{ user_id: string }>(
          'SELECT user_id FROM strategies WHERE id = ?',
          command.strategyId,
        );
        return application.operations.getOrders(
          { ...caller, userId: strategy?.user_id } as never,
          command,
        );
      },
      getPositions: async (caller, command) => {
        const [strategy] = world.database.rows<{ user_id: string }>(
          'SELECT user_id FROM strategies WHERE id = ?',
          command.strategyId,
        );
        return application.operations.getPositions(
          { ...caller, userId: strategy?.user_id } as never,
          command,
        );
      },
    }),
};

const outlivesAccess: Bug = {
  name: 'stream_outlives_access',
  mistake: 'a stream goes on after the subscription or the token ended',
  breaks: ['A1', 'A2'],
  wrapPorts: (ports) => ({
    ...ports,
    events: {
      subscribe: ports.events.subscribe,
      publish(event) {
        if (event.kind !== 'access_changed') ports.events.publish(event);
      },
    },
  }),
};

const readsForAll: Bug = {
  name: 'cancelled_subscription_reads',
  mistake: 'who once subscribed may read for ever',
  breaks: ['A1', 'A2'],
  wrapPorts: (ports) => ({
    ...ports,
    unitOfWork: withReadStores(ports.unitOfWork, ({ subscriptions }) => ({
      subscriptions: {
        ...subscriptions,
        findCurrent: async (strategyId, userId) => {
          const current = await subscriptions.findCurrent(strategyId, userId);
          if (current) return current;
          const all = await subscriptions.listOfUser(userId, { limit: 100 });
          const last = all.find((one) => one.strategyId === strategyId);
          return last && { ...last, status: 'active' };
        },
      },
    })),
  }),
};

const swallowed: Bug = {
  name: 'storage_fault_swallowed',
  mistake: 'what could not be stored is answered as if it were',
  breaks: ['durable', 'L3', 'S2', 'frames', 'O8', 'error', 'W1', 'O7'],
  wrapPorts: (ports) => ({
    ...ports,
    unitOfWork: {
      ...ports.unitOfWork,
      async run(work, terms) {
        let answer: Awaited<ReturnType<typeof work>> | undefined;
        try {
          return await ports.unitOfWork.run(async (stores) => (answer = await work(stores)), terms);
        } catch (error) {
          if (!(error instanceof StorageUnavailable) || answer === undefined) throw error;
          return answer;
        }
      },
    },
  }),
};

const samplesOutOfTime: Bug = {
  name: 'sample_out_of_time',
  mistake: 'samples of a value are kept under another time',
  breaks: ['T1'],
  wrapPorts: (ports) => ({
    ...ports,
    unitOfWork: withStores(ports.unitOfWork, ({ valueHistory }) => ({
      valueHistory: {
        ...valueHistory,
        save: (strategyId, bucket) =>
          valueHistory.save(strategyId, { ...bucket, start: bucket.start + 1, length: 120_000 }),
      },
    })),
  }),
};

const neverCutOff: Bug = {
  name: 'slow_client_never_cut_off',
  mistake: 'what is unsent to a client that reads nothing grows without bound',
  breaks: ['slow'],
  showsUnsent: false,
};

const auditOutside: Bug = {
  name: 'audit_outside_the_transaction',
  mistake: 'the entry of the audit log is written after the change, in a transaction of its own',
  breaks: ['K2'],
  wrapPorts: (ports) => ({
    ...ports,
    unitOfWork: {
      ...ports.unitOfWork,
      async run(work, terms) {
        const entries: Parameters<Stores['audit']['save']>[0][] = [];
        const answer = await withStores(ports.unitOfWork, ({ audit }) => ({
          audit: { ...audit, save: async (entry) => void entries.push(entry) },
        })).run(work, terms);
        const [entry] = entries;
        if (entry) await ports.unitOfWork.run(({ audit }) => audit.save(entry));
        return answer;
      },
    },
  }),
};

export const accessBugs: readonly Bug[] = [
  noOwnerCheck,
  outlivesAccess,
  readsForAll,
  swallowed,
  samplesOutOfTime,
  neverCutOff,
  auditOutside,
];
