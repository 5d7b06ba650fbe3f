import { StorageUnavailable, type Stores } from '@slipstream/ports';
import type { Bug } from './bug.js';
import { withOperations, withReadStores, withStores } from './wrap.js';

const noOwnerCheck: Bug = {
  name: 'stream_without_owner_check',
  mistake: 'anybody can stream the orders of a strategy',
  breaks: ['A1', 'A2'],
  streamApplication: (application, world) => ({
    ...withOperations(application, {
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
    streams: { ...application.streams, requireFollower: async () => undefined },
  }),
};

const outlivesAccess: Bug = {
  name: 'stream_outlives_access',
  mistake: 'a stream continues after the subscription or the token ended',
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
  mistake: 'a former subscriber can still read',
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
  mistake: 'a failed write is answered as a success',
  breaks: ['durable', 'L3', 'S2', 'frames', 'O8', 'error', 'W1', 'O7'],
  wrapPorts: (ports) => ({
    ...ports,
    unitOfWork: {
      ...ports.unitOfWork,
      async run(work, options) {
        let answer: Awaited<ReturnType<typeof work>> | undefined;
        try {
          return await ports.unitOfWork.run(
            async (stores) => (answer = await work(stores)),
            options,
          );
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
  mistake: 'value samples are stored under a wrong time',
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
  mistake: 'unsent data for a stalled client grows without bound',
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
      async run(work, options) {
        const entries: Parameters<Stores['audit']['save']>[0][] = [];
        const answer = await withStores(ports.unitOfWork, ({ audit }) => ({
          audit: { ...audit, save: async (entry) => void entries.push(entry) },
        })).run(work, options);
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
