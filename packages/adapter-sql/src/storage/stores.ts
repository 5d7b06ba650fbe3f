import type { ReadStores, Stores } from '@slipstream/ports';
import type { Session } from './session.js';
import { sqlAnnouncedActions } from '../market/announced-actions.js';
import { sqlMarketDays } from '../market/market-days.js';
import { sqlQuoteFeed } from '../market/quote-feed.js';
import { sqlAlerts } from '../alerts/alerts.js';
import { sqlAudit } from '../audit/audit.js';
import { sqlBooks } from '../trading/books.js';
import { sqlBotOrders } from '../mirroring/bot-orders.js';
import { sqlBrokerAccounts } from '../mirroring/broker-accounts.js';
import { sqlBotHistory } from '../mirroring/bot-history.js';
import { sqlBots } from '../mirroring/bots.js';
import { sqlConnections } from '../mirroring/connections.js';
import { sqlHalts } from '../mirroring/halts.js';
import { sqlDeliveries } from '../endpoints/deliveries.js';
import { sqlEndpointEvents } from '../endpoints/endpoint-events.js';
import { sqlEndpoints } from '../endpoints/endpoints.js';
import { sqlCounts } from './counts.js';
import { sqlKeptAnswers } from './kept-answers.js';
import { sqlKeyProof } from './key-proof.js';
import { sqlTallies } from '../accounts/tallies.js';
import { sqlPlans } from '../plans/plans.js';
import { sqlDailyCloses } from '../market/daily-closes.js';
import { sqlMarketRuns } from '../market/market-runs.js';
import { sqlClaimedHistories } from '../performance/claimed-histories.js';
import { sqlAnchors } from '../performance/anchors.js';
import { sqlTrack } from '../performance/track.js';
import { sqlAccountCodes } from '../accounts/account-codes.js';
import { sqlMails } from '../messages/mails.js';
import { sqlNotifications } from '../messages/notifications.js';
import { sqlOrders } from '../trading/orders.js';
import { sqlTrades } from '../trading/trades.js';
import { sqlEarnings } from '../billing/earnings.js';
import { sqlPaymentSources } from '../billing/payment-sources.js';
import { sqlWithdrawals } from '../billing/withdrawals.js';
import { sqlInvoices } from '../billing/invoices.js';
import { sqlLikes, sqlPosts } from '../social/posts.js';
import { sqlAdjustments, sqlStockActions } from '../market/stock-actions.js';
import { sqlQuotes, sqlStocks } from '../market/stocks.js';
import { sqlStrategies } from '../strategies/strategies.js';
import { sqlSubscriptions } from '../strategies/subscriptions.js';
import { sqlTokens } from '../accounts/tokens.js';
import { sqlUsers } from '../accounts/users.js';
import { sqlValueDays } from '../performance/value-days.js';
import { sqlValueHistory } from '../performance/value-history.js';

/** Makes each store for the session of a transaction. */
const makers: { readonly [Name in keyof Stores]: (session: Session) => Stores[Name] } = {
  users: sqlUsers,
  tokens: sqlTokens,
  strategies: sqlStrategies,
  subscriptions: sqlSubscriptions,
  books: sqlBooks,
  orders: sqlOrders,
  trades: sqlTrades,
  valueHistory: sqlValueHistory,
  valueDays: sqlValueDays,
  claimedHistories: sqlClaimedHistories,
  stocks: sqlStocks,
  quotes: sqlQuotes,
  dailyCloses: sqlDailyCloses,
  marketRuns: sqlMarketRuns,
  bots: sqlBots,
  botOrders: sqlBotOrders,
  botHistory: sqlBotHistory,
  brokerAccounts: sqlBrokerAccounts,
  halts: sqlHalts,
  connections: sqlConnections,
  stockActions: sqlStockActions,
  announcedActions: sqlAnnouncedActions,
  quoteFeed: sqlQuoteFeed,
  marketDays: sqlMarketDays,
  adjustments: sqlAdjustments,
  track: sqlTrack,
  anchors: sqlAnchors,
  audit: sqlAudit,
  alerts: sqlAlerts,
  keptAnswers: sqlKeptAnswers,
  keyProof: sqlKeyProof,
  tallies: sqlTallies,
  plans: sqlPlans,
  notifications: sqlNotifications,
  posts: sqlPosts,
  likes: sqlLikes,
  mails: sqlMails,
  accountCodes: sqlAccountCodes,
  paymentSources: sqlPaymentSources,
  invoices: sqlInvoices,
  earnings: sqlEarnings,
  withdrawals: sqlWithdrawals,
  endpoints: sqlEndpoints,
  endpointEvents: sqlEndpointEvents,
  deliveries: sqlDeliveries,
  counts: sqlCounts,
  events: (session) => ({ add: async (event) => session.addEvent(event) }),
};

type Store = Stores[keyof Stores];

/** What no store of a read has, at run time too. */
const WRITES: ReadonlySet<PropertyKey> = new Set(['add', 'save', 'remove']);
const NOTHING: ReadonlySet<PropertyKey> = new Set();

type Method = (...given: readonly unknown[]) => Promise<unknown>;

/** The store without some methods; the others first yield the event loop if the transaction has held it for long. */
function resting(store: Store, without: ReadonlySet<PropertyKey>, session: Session): object {
  return new Proxy(store, {
    has: (target, name) => !without.has(name) && Reflect.has(target, name),
    get: (target, name) => {
      if (without.has(name)) return undefined;
      const method = Reflect.get(target, name) as Method;
      if (!session.isTiring()) return method;
      return async (...given: readonly unknown[]) => {
        await session.rest();
        return method(...given);
      };
    },
  });
}

/** Stores inherit from this when a wrapper adds to them, so these are no private fields. */
const SESSION = Symbol('session');
const MADE = Symbol('made');

interface AllStores {
  new (session: Session): object;
}

/** Stores made at first use, by getters that all transactions share: most transactions use a few of them, again and again. */
function storesWithout(without: ReadonlySet<PropertyKey>): AllStores {
  class WorkStores {
    readonly [SESSION]: Session;
    readonly [MADE]: Partial<Record<string, object>> = {};
    constructor(session: Session) {
      this[SESSION] = session;
    }
    static {
      for (const [name, maker] of Object.entries(makers)) {
        Object.defineProperty(this.prototype, name, {
          enumerable: true,
          get(this: WorkStores) {
            const session = this[SESSION];
            return (this[MADE][name] ??= resting(maker(session), without, session));
          },
        });
      }
    }
  }
  return WorkStores;
}

const WritingStores = storesWithout(NOTHING);
const ReadingStores = storesWithout(WRITES);

export const storesOf = (session: Session): Stores => new WritingStores(session) as Stores;
export const readStoresOf = (session: Session): ReadStores =>
  new ReadingStores(session) as ReadStores;
