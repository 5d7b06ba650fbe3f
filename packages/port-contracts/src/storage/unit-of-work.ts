import { describe, expect, it } from '../testing.js';
import { type UserId, id } from '@slipstream/domain';
import type { Stores, UserStore } from '@slipstream/ports';
import { aStrategy, aUser } from '../builders/index.js';
import { commitEventsContract } from './commit-events.js';
import { commitsContract, fullDiskContract, reopeningContract } from './durability.js';
import { orderOfListsContract } from './order-of-lists.js';
import { textsContract } from './texts.js';
import { type OpenStorage, type StorageFixture, emptyBeforeEach, restarting } from './storage.js';
import { auditContract } from '../audit/audit.js';
import { booksContract } from '../trading/books.js';
import { botHistoryContract } from '../mirroring/bot-history.js';
import { botsContract } from '../mirroring/bots.js';
import { connectionsContract } from '../mirroring/connections.js';
import { deliveriesContract } from '../endpoints/deliveries.js';
import { endpointEventsContract } from '../endpoints/events.js';
import { endpointsContract } from '../endpoints/endpoints.js';
import { haltsContract } from '../mirroring/halts.js';
import { countsContract } from './counts.js';
import { keyProofContract } from './key-proof.js';
import { mailsContract } from '../messages/mails.js';
import { notificationsContract } from '../messages/notifications.js';
import { inboxContract } from '../alerts/alerts.js';
import { ordersContract } from '../trading/orders.js';
import { plansContract } from '../plans/plans.js';
import { talliesContract } from '../accounts/tallies.js';
import { trackContract } from '../performance/track.js';
import { announcedActionsContract } from '../market/announced-actions.js';
import { dailyClosesContract } from '../market/daily-closes.js';
import { marketRunsContract } from '../market/market-runs.js';
import { stockActionsContract } from '../market/stock-actions.js';
import { timelinesContract } from '../social/posts.js';
import { paymentsContract } from '../billing/payments.js';
import { stocksContract } from '../market/stocks.js';
import { strategiesContract } from '../strategies/strategies.js';
import { subscriptionsContract } from '../strategies/subscriptions.js';
import { usersContract } from '../accounts/users.js';
import { claimedHistoriesContract } from '../performance/claimed-histories.js';
import { anchorsContract } from '../performance/anchors.js';
import { valueDaysContract } from '../performance/value-days.js';
import { valueHistoryContract } from '../performance/value-history.js';

const first: UserId = id('user-1');
const second: UserId = id('user-2');

/** A promise that the test resolves. */
function gate(): { readonly passed: Promise<void>; readonly open: () => void } {
  let open = (): void => undefined;
  const passed = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { passed, open };
}

/** Every store. Omitting a new one does not compile. */
const STORES = Object.keys({
  users: true,
  tokens: true,
  strategies: true,
  subscriptions: true,
  books: true,
  orders: true,
  trades: true,
  valueHistory: true,
  valueDays: true,
  claimedHistories: true,
  stocks: true,
  quotes: true,
  dailyCloses: true,
  marketRuns: true,
  bots: true,
  botOrders: true,
  botHistory: true,
  brokerAccounts: true,
  halts: true,
  connections: true,
  stockActions: true,
  adjustments: true,
  announcedActions: true,
  quoteFeed: true,
  marketDays: true,
  track: true,
  anchors: true,
  audit: true,
  alerts: true,
  keptAnswers: true,
  keyProof: true,
  tallies: true,
  plans: true,
  notifications: true,
  posts: true,
  likes: true,
  mails: true,
  accountCodes: true,
  paymentSources: true,
  invoices: true,
  earnings: true,
  withdrawals: true,
  endpoints: true,
  endpointEvents: true,
  deliveries: true,
  counts: true,
  events: true,
} satisfies Record<keyof Stores, true>) as (keyof Stores)[];

const transactionsContract = (open: OpenStorage): void => {
  describe('transactions', () => {
    const unitOfWork = emptyBeforeEach(open);
    const names = (): Promise<string[]> =>
      unitOfWork.read(async ({ users }) =>
        (await users.list([first, second])).map((user) => user.id),
      );
    const raiseCommission = (): Promise<number> =>
      unitOfWork.run(async ({ users }) => {
        const user = (await users.find(first)) ?? aUser({ commission: 0 });
        await users.save({ ...user, commission: user.commission + 1 });
        return user.commission + 1;
      });

    it('stores every write of a transaction and returns its result', async () => {
      const answer = await unitOfWork.run(async ({ users }) => {
        await users.save(aUser({ id: first }));
        await users.save(aUser({ id: second }));
        return 'done';
      });
      expect(answer).toBe('done');
      expect(await names()).toEqual([first, second]);
    });

    it('stores nothing of a transaction that throws, and throws the same error', async () => {
      const thrown = new Error('no');
      const failed = unitOfWork.run(async ({ users }) => {
        await users.save(aUser({ id: first }));
        throw thrown;
      });
      await expect(failed).rejects.toBe(thrown);
      expect(await names()).toEqual([]);
    });

    it('refuses a transaction that is no longer wanted when it starts, and runs nothing of it', async () => {
      const late = unitOfWork.run(({ users }) => users.save(aUser({ id: first })), {
        isWanted: () => false,
      });
      const beside = unitOfWork.run(({ users }) => users.save(aUser({ id: second })));
      await expect(late).rejects.toMatchObject({ name: 'StorageUnavailable' });
      await beside;
      expect(await names()).toEqual([second]);
    });

    it('completes a transaction that was wanted when it started', async () => {
      let isWanted = true;
      await unitOfWork.run(
        async ({ users }) => {
          isWanted = false;
          await users.save(aUser({ id: first }));
        },
        { isWanted: () => isWanted },
      );
      expect(await names()).toEqual([first]);
    });

    it('calls onCommit in the order of run, before run resolves', async () => {
      const log: string[] = [];
      const work = (name: string, fails = false) =>
        unitOfWork
          .run(
            async ({ users }) => {
              await users.save(aUser({ id: id(name) }));
              if (fails) throw new Error('no');
              return name;
            },
            { onCommit: (answer) => log.push(`${answer} committed`) },
          )
          .then(
            (answer) => log.push(answer),
            () => log.push(`${name} refused`),
          );
      await Promise.all([work('a'), work('b', true), work('c')]);
      expect(log.indexOf('a committed')).toBeLessThan(log.indexOf('c committed'));
      expect(log.indexOf('a committed')).toBeLessThan(log.indexOf('a'));
      expect(log.indexOf('c committed')).toBeLessThan(log.indexOf('c'));
      expect(log.toSorted()).toEqual(['a', 'a committed', 'b refused', 'c', 'c committed']);
    });

    it('lets a transaction read its own writes', async () => {
      const found = await unitOfWork.run(async ({ users }) => {
        await users.save(aUser({ id: first, commission: 7 }));
        return users.find(first);
      });
      expect(found?.commission).toBe(7);
    });

    it('runs transactions that arrive together one after another, in the order of run', async () => {
      const asked = Array.from({ length: 20 }, raiseCommission);
      expect(await Promise.all(asked)).toEqual(Array.from({ length: 20 }, (_, n) => n + 1));
    });

    it('settles the results in the order of run, also those of refused transactions', async () => {
      const order: number[] = [];
      const works = [0, 1, 2, 3].map((n) =>
        unitOfWork
          .run(async ({ users }) => {
            await users.find(first);
            if (n % 2 === 1) throw new Error('no');
            await users.save(aUser({ id: first, commission: n }));
          })
          .then(
            () => order.push(n),
            () => order.push(n),
          ),
      );
      await Promise.all(works);
      expect(order).toEqual([0, 1, 2, 3]);
    });

    it.each([
      ['before it saved anything', false],
      ['after it saved something', true],
    ])('loses nothing of the works beside one that throws %s', async (_, saves) => {
      const results = await Promise.allSettled([
        raiseCommission(),
        unitOfWork.run(async ({ users }) => {
          if (saves) await users.save(aUser({ id: second }));
          throw new Error('no');
        }),
        raiseCommission(),
        raiseCommission(),
      ]);
      expect(results.map(({ status }) => status)).toEqual([
        'fulfilled',
        'rejected',
        'fulfilled',
        'fulfilled',
      ]);
      const saved = await unitOfWork.read(({ users }) => users.list([first, second]));
      expect(saved.map(({ id, commission }) => [id, commission])).toEqual([[first, 3]]);
    });

    it('shows later transactions the writes of earlier ones, and nothing of a refused one between them', async () => {
      const strategyId = id<'strategy'>('strategy-1');
      const named = (name: string) =>
        unitOfWork.run(({ strategies }) => strategies.save(aStrategy({ id: strategyId, name })));
      const before = named('first');
      const refused = unitOfWork.run(async ({ strategies }) => {
        await strategies.save(aStrategy({ id: strategyId, name: 'refused' }));
        throw new Error('no');
      });
      const seen = unitOfWork.run(
        async ({ strategies }) => (await strategies.find(strategyId))?.name,
      );
      const [, , found] = await Promise.allSettled([before, refused, seen]);
      expect(found).toMatchObject({ value: 'first' });
      const stored = await unitOfWork.read(({ strategies }) => strategies.find(strategyId));
      expect(stored?.name).toBe('first');
    });

    it('runs each transaction once, even if others fail after a write', async () => {
      let runs = 0;
      const works = Array.from({ length: 20 }, (_, n) =>
        unitOfWork.run(async ({ users }) => {
          runs += 1;
          await users.save(aUser({ id: id(`user-${n}`) }));
          if (n % 5 === 0) throw new Error('no');
        }),
      );
      await Promise.allSettled(works);
      expect(runs).toBe(20);
    });

    it('commits nothing of a transaction that swallows the error of a save', async () => {
      await unitOfWork.run(({ users }) => users.save(aUser({ id: first, email: 'a@example.com' })));
      const swallowing = unitOfWork.run(async ({ users, brokerAccounts }) => {
        await brokerAccounts.save('account-1', 'before');
        await users.save(aUser({ id: second, email: 'a@example.com' })).catch(() => undefined);
        await brokerAccounts.save('account-1', 'after').catch(() => undefined);
      });
      await expect(swallowing).rejects.toThrow();
      expect(
        await unitOfWork.read(({ brokerAccounts }) => brokerAccounts.find('account-1')),
      ).toBeUndefined();
    });

    it('shows a concurrent read all of a transaction or nothing, and a later read all of it', async () => {
      const { passed, open: openGate } = gate();
      const writing = unitOfWork.run(async ({ users }) => {
        await users.save(aUser({ id: first }));
        await passed;
        await users.save(aUser({ id: second }));
      });
      const meanwhile = names();
      setImmediate(openGate);
      await writing;
      expect([0, 2]).toContain((await meanwhile).length);
      expect(await names()).toEqual([first, second]);
    });

    it('reads all stores as of one moment', async () => {
      await unitOfWork.run(({ users }) => users.save(aUser({ id: first, commission: 1 })));
      const { passed, open: openGate } = gate();
      const reading = unitOfWork.read(async ({ users }) => {
        const before = await users.find(first);
        await passed;
        return [before?.commission, (await users.find(first))?.commission];
      });
      const writing = unitOfWork.run(({ users }) =>
        users.save(aUser({ id: first, commission: 2 })),
      );
      setImmediate(openGate);
      const [before, after] = await reading;
      expect(after).toBe(before);
      await writing;
    });

    it('throws the error that a read throws', async () => {
      const thrown = new Error('no');
      const failed = unitOfWork.read(async () => Promise.reject(thrown));
      await expect(failed).rejects.toBe(thrown);
    });

    it('gives a read no method that writes', async () => {
      const found = await unitOfWork.read(async (stores) =>
        STORES.map((name) => ({
          name,
          isThere: typeof stores[name] === 'object',
          writes: ['add', 'save', 'remove'].some((method) => method in stores[name]),
        })),
      );
      expect(found).toEqual(STORES.map((name) => ({ name, isThere: true, writes: false })));
    });

    it('has no store under an unknown name', async () => {
      const look = async (stores: object): Promise<unknown[]> => {
        const all = stores as Readonly<Record<PropertyKey, unknown>>;
        return [all[Symbol('of somebody else')], all['nobody']];
      };
      expect(await unitOfWork.run(look)).toEqual([undefined, undefined]);
      expect(await unitOfWork.read(look)).toEqual([undefined, undefined]);
    });

    it('does not wait for ever for a transaction that waits for another one', async () => {
      const nested = unitOfWork.run(async () => unitOfWork.run(async () => 'inside'));
      await expect(nested).rejects.toThrow();
      expect(await unitOfWork.run(async () => 'later')).toBe('later');
    });

    it('refuses the use of stores after their transaction has ended', async () => {
      let escaped: UserStore | undefined;
      await unitOfWork.run(async ({ users }: Stores) => {
        escaped = users;
        await users.save(aUser({ id: first }));
      });
      await expect(escaped?.save(aUser({ id: second }))).rejects.toThrow();
      await expect(escaped?.find(first)).rejects.toThrow();
      expect(await names()).toEqual([first]);
    });
  });
};

/** The rules of each store. */
const storesContract = (open: OpenStorage): void => {
  orderOfListsContract(open);
  textsContract(open);
  usersContract(open);
  strategiesContract(open);
  subscriptionsContract(open);
  booksContract(open);
  ordersContract(open);
  valueHistoryContract(open);
  valueDaysContract(open);
  claimedHistoriesContract(open);
  paymentsContract(open);
  stocksContract(open);
  stockActionsContract(open);
  announcedActionsContract(open);
  trackContract(open);
  anchorsContract(open);
  auditContract(open);
  botsContract(open);
  botHistoryContract(open);
  haltsContract(open);
  connectionsContract(open);
  inboxContract(open);
  keyProofContract(open);
  dailyClosesContract(open);
  marketRunsContract(open);
  talliesContract(open);
  plansContract(open);
  notificationsContract(open);
  timelinesContract(open);
  mailsContract(open);
  endpointsContract(open);
  endpointEventsContract(open);
  deliveriesContract(open);
  countsContract(open);
};

/**
 * The rules of every storage: everything on which a use case may rely. The fixture opens the storage; `name` identifies it
 * in the report.
 */
export const unitOfWorkContract = (
  name: string,
  { open, reopen, openForgetful, openFillable }: StorageFixture,
): void => {
  const remembersNothing = openForgetful ?? (reopen && restarting(open, reopen));
  describe(`unit of work contract: ${name}`, () => {
    transactionsContract(open);
    commitsContract(open);
    commitEventsContract(open);
    storesContract(open);
    if (openFillable) fullDiskContract(openFillable);
    if (reopen) reopeningContract(open, reopen);
    if (remembersNothing)
      describe('with nothing in memory', () => storesContract(remembersNothing));
  });
};
