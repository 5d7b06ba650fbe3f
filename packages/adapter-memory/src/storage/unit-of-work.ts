import { memoryDailyCloses } from '../market/daily-closes.js';
import { memoryMarketRuns } from '../market/market-runs.js';
import { AsyncLocalStorage } from 'node:async_hooks';
import {
  type ReadStores,
  type Storage,
  StorageUnavailable,
  type Stores,
  eventBus,
} from '@slipstream/ports';
import {
  memoryAnnouncedActions,
  memoryMarketDays,
  memoryQuoteFeed,
} from '../market/announced-actions.js';
import { memoryAlerts } from '../alerts/alerts.js';
import { memoryAudit } from '../audit/audit.js';
import { memoryBooks, memoryOrders, memoryTrades } from '../trading/books.js';
import { memoryBotOrders, memoryBots, memoryBrokerAccounts } from '../mirroring/bots.js';
import { memoryBotHistory } from '../mirroring/bot-history.js';
import { memoryConnections } from '../mirroring/connections.js';
import { memoryHalts } from '../mirroring/halts.js';
import { memoryDeliveries, memoryEndpointEvents, memoryEndpoints } from '../endpoints/endpoints.js';
import { memoryCounts } from './counts.js';
import { memoryKeptAnswers } from './kept-answers.js';
import { memoryKeyProof } from './key-proof.js';
import { memoryAccountCodes } from '../accounts/account-codes.js';
import { memoryMails } from '../messages/mails.js';
import { memoryNotifications } from '../messages/notifications.js';
import {
  memoryEarnings,
  memoryInvoices,
  memoryPaymentSources,
  memoryWithdrawals,
} from '../billing/payments.js';
import { memoryLikes, memoryPosts } from '../social/posts.js';
import { memoryAdjustments, memoryStockActions } from '../market/stock-actions.js';
import { memoryQuotes, memoryStocks } from '../market/stocks.js';
import { memoryStrategies, memorySubscriptions } from '../strategies/strategies.js';
import { memoryTallies } from '../accounts/tallies.js';
import { memoryPlans } from '../plans/plans.js';
import { memoryAnchors } from '../performance/anchors.js';
import { memoryTrack } from '../performance/track.js';
import { memoryTokens, memoryUsers } from '../accounts/users.js';
import { memoryClaimedHistories } from '../performance/claimed-histories.js';
import { memoryValueDays } from '../performance/value-days.js';
import { memoryValueHistory } from '../performance/value-history.js';
import { emptyState } from './state.js';
import { type Tables, draftOf } from './tables.js';

const makers: { readonly [Name in keyof Stores]: (tables: Tables) => Stores[Name] } = {
  users: memoryUsers,
  tokens: memoryTokens,
  strategies: memoryStrategies,
  subscriptions: memorySubscriptions,
  books: memoryBooks,
  orders: memoryOrders,
  trades: memoryTrades,
  valueHistory: memoryValueHistory,
  valueDays: memoryValueDays,
  claimedHistories: memoryClaimedHistories,
  stocks: memoryStocks,
  quotes: memoryQuotes,
  dailyCloses: memoryDailyCloses,
  marketRuns: memoryMarketRuns,
  bots: memoryBots,
  botOrders: memoryBotOrders,
  botHistory: memoryBotHistory,
  brokerAccounts: memoryBrokerAccounts,
  halts: memoryHalts,
  connections: memoryConnections,
  stockActions: memoryStockActions,
  announcedActions: memoryAnnouncedActions,
  quoteFeed: memoryQuoteFeed,
  marketDays: memoryMarketDays,
  adjustments: memoryAdjustments,
  track: memoryTrack,
  anchors: memoryAnchors,
  audit: memoryAudit,
  alerts: memoryAlerts,
  keptAnswers: memoryKeptAnswers,
  keyProof: memoryKeyProof,
  tallies: memoryTallies,
  plans: memoryPlans,
  notifications: memoryNotifications,
  posts: memoryPosts,
  likes: memoryLikes,
  mails: memoryMails,
  accountCodes: memoryAccountCodes,
  paymentSources: memoryPaymentSources,
  invoices: memoryInvoices,
  earnings: memoryEarnings,
  withdrawals: memoryWithdrawals,
  endpoints: memoryEndpoints,
  endpointEvents: memoryEndpointEvents,
  deliveries: memoryDeliveries,
  counts: memoryCounts,
  events: (tables) => ({ add: async (event) => tables.addEvent(event) }),
};
const NAMES: ReadonlyMap<PropertyKey, (tables: Tables) => object> = new Map(Object.entries(makers));

/** Stores made at first use, without some methods: most transactions use a few of them. */
function storesWithout(without: readonly string[], tables: Tables): object {
  const made = new Map<PropertyKey, object>();
  const storeOf = (name: PropertyKey): object | undefined => {
    const known = made.get(name);
    const maker = NAMES.get(name);
    if (known || !maker) return known;
    const store = maker(tables);
    for (const method of without) Reflect.deleteProperty(store, method);
    made.set(name, store);
    return store;
  };
  return new Proxy(
    {},
    {
      get: (_, name) => storeOf(name),
      has: (_, name) => NAMES.has(name),
      ownKeys: () => Object.keys(makers),
      getOwnPropertyDescriptor: (_, name) =>
        NAMES.has(name)
          ? { value: storeOf(name), enumerable: true, configurable: true, writable: true }
          : undefined,
    },
  );
}

/** What no store of a read has, at run time too. */
const WRITES: readonly string[] = ['add', 'save', 'remove'];

const storesOf = (tables: Tables): Stores => storesWithout([], tables) as Stores;
const readStoresOf = (tables: Tables): ReadStores => storesWithout(WRITES, tables) as ReadStores;

/** The storages whose transactions are running, as the code inside them sees it. */
const around = new AsyncLocalStorage<readonly object[]>();
let running = 0;
/** Whether it is looked at in the next turn whether any is still running. */
let isLooking = false;

/**
 * Runs it inside a transaction of the storage. In Node 20 each asynchronous step of the whole process pays for every such instance
 * that is in use, also for those that tests left behind: so this one goes out of use when no transaction is running.
 */
async function inside<T>(storage: object, work: () => Promise<T>): Promise<T> {
  running += 1;
  try {
    return await around.run([...(around.getStore() ?? []), storage], work);
  } finally {
    running -= 1;
    rest();
  }
}

function rest(): void {
  if (running > 0 || isLooking) return;
  isLooking = true;
  // Not before the next turn: the next transaction often waits already.
  setImmediate(() => {
    isLooking = false;
    if (running === 0) around.disable();
  });
}

/** Every store in memory, empty: the reference implementation of a unit of work. */
export function openMemory(): Storage {
  const self = {};
  // The port requires it: an error of one listener does not affect the others.
  const commits = eventBus(() => undefined);
  let committed = emptyState;
  let lastWork: Promise<unknown> = Promise.resolve();
  let closed = false;

  const requireOutside = (): void => {
    if (around.getStore()?.includes(self))
      throw new Error('a unit of work cannot be used inside another one');
    if (closed) throw new StorageUnavailable('the storage is closed');
  };

  return {
    async run(work, options) {
      requireOutside();
      const result = lastWork.then(async () => {
        if (options?.isWanted?.() === false)
          throw new StorageUnavailable('the work could not begin in time');
        const draft = draftOf(committed);
        try {
          const answer = await inside(self, () => work(storesOf(draft.tables)));
          committed = draft.next();
          try {
            options?.onCommit?.(answer);
          } finally {
            for (const event of draft.events) commits.publish(event);
          }
          return answer;
        } finally {
          draft.end();
        }
      });
      lastWork = result.catch(() => undefined);
      return result;
    },

    async read(work) {
      requireOutside();
      const draft = draftOf(committed);
      try {
        return await inside(self, () => work(readStoresOf(draft.tables)));
      } finally {
        draft.end();
      }
    },

    subscribe: commits.subscribe,

    async close() {
      closed = true;
      await lastWork;
    },
  };
}
