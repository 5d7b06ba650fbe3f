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

const storesOf = (tables: Tables): Stores => ({
  users: memoryUsers(tables),
  tokens: memoryTokens(tables),
  strategies: memoryStrategies(tables),
  subscriptions: memorySubscriptions(tables),
  books: memoryBooks(tables),
  orders: memoryOrders(tables),
  trades: memoryTrades(tables),
  valueHistory: memoryValueHistory(tables),
  valueDays: memoryValueDays(tables),
  claimedHistories: memoryClaimedHistories(tables),
  stocks: memoryStocks(tables),
  quotes: memoryQuotes(tables),
  dailyCloses: memoryDailyCloses(tables),
  marketRuns: memoryMarketRuns(tables),
  bots: memoryBots(tables),
  botOrders: memoryBotOrders(tables),
  botHistory: memoryBotHistory(tables),
  brokerAccounts: memoryBrokerAccounts(tables),
  halts: memoryHalts(tables),
  connections: memoryConnections(tables),
  stockActions: memoryStockActions(tables),
  announcedActions: memoryAnnouncedActions(tables),
  quoteFeed: memoryQuoteFeed(tables),
  marketDays: memoryMarketDays(tables),
  adjustments: memoryAdjustments(tables),
  track: memoryTrack(tables),
  anchors: memoryAnchors(tables),
  audit: memoryAudit(tables),
  alerts: memoryAlerts(tables),
  keptAnswers: memoryKeptAnswers(tables),
  keyProof: memoryKeyProof(tables),
  tallies: memoryTallies(tables),
  plans: memoryPlans(tables),
  notifications: memoryNotifications(tables),
  posts: memoryPosts(tables),
  likes: memoryLikes(tables),
  mails: memoryMails(tables),
  accountCodes: memoryAccountCodes(tables),
  paymentSources: memoryPaymentSources(tables),
  invoices: memoryInvoices(tables),
  earnings: memoryEarnings(tables),
  withdrawals: memoryWithdrawals(tables),
  endpoints: memoryEndpoints(tables),
  endpointEvents: memoryEndpointEvents(tables),
  deliveries: memoryDeliveries(tables),
  counts: memoryCounts(tables),
  events: { add: async (event) => tables.addEvent(event) },
});

const WRITES: readonly string[] = ['add', 'save', 'remove'];

/** The stores without the methods that write, at run time too. */
function readStoresOf(tables: Tables): ReadStores {
  const stores = storesOf(tables);
  for (const store of Object.values(stores) as object[])
    for (const method of WRITES) Reflect.deleteProperty(store, method);
  return stores;
}

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
