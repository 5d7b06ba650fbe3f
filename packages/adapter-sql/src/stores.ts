import type { ReadStores, Stores } from '@slipstream/ports';
import type { Session } from './session.js';
import { sqlAlerts } from './stores/alerts.js';
import { sqlAudit } from './stores/audit.js';
import { sqlBooks } from './stores/books.js';
import { sqlBotOrders, sqlBrokerAccounts } from './stores/bot-orders.js';
import { sqlBots } from './stores/bots.js';
import { sqlKeptAnswers } from './stores/kept-answers.js';
import { sqlTrack } from './stores/track.js';
import { sqlAccountCodes, sqlMails } from './stores/mails.js';
import { sqlNotifications } from './stores/notifications.js';
import { sqlOrders, sqlTrades } from './stores/orders.js';
import { sqlEarnings, sqlPaymentSources, sqlWithdrawals } from './stores/earnings.js';
import { sqlInvoices } from './stores/invoices.js';
import { sqlLikes, sqlPosts } from './stores/posts.js';
import { sqlAdjustments, sqlStockActions } from './stores/stock-actions.js';
import { sqlQuotes, sqlStocks } from './stores/stocks.js';
import { sqlStrategies } from './stores/strategies.js';
import { sqlSubscriptions } from './stores/subscriptions.js';
import { sqlTokens, sqlUsers } from './stores/users.js';
import { sqlValueHistory } from './stores/value-history.js';

/** How each store is made for the session of a work. */
const makers: { readonly [Name in keyof Stores]: (session: Session) => Stores[Name] } = {
  users: sqlUsers,
  tokens: sqlTokens,
  strategies: sqlStrategies,
  subscriptions: sqlSubscriptions,
  books: sqlBooks,
  orders: sqlOrders,
  trades: sqlTrades,
  valueHistory: sqlValueHistory,
  stocks: sqlStocks,
  quotes: sqlQuotes,
  bots: sqlBots,
  botOrders: sqlBotOrders,
  brokerAccounts: sqlBrokerAccounts,
  stockActions: sqlStockActions,
  adjustments: sqlAdjustments,
  track: sqlTrack,
  audit: sqlAudit,
  alerts: sqlAlerts,
  keptAnswers: sqlKeptAnswers,
  notifications: sqlNotifications,
  posts: sqlPosts,
  likes: sqlLikes,
  mails: sqlMails,
  accountCodes: sqlAccountCodes,
  paymentSources: sqlPaymentSources,
  invoices: sqlInvoices,
  earnings: sqlEarnings,
  withdrawals: sqlWithdrawals,
};

type Store = Stores[keyof Stores];

/** The store without what writes, at run time too. */
function reading(store: Store): object {
  const {
    save: _save,
    remove: _remove,
    ...reads
  } = store as Store & { save?: unknown; remove?: unknown };
  return reads;
}

/** Stores that are made when they are asked for, by getters that all works share: most works use two or three of them. */
function storesBy(make: (maker: (session: Session) => Store, session: Session) => object) {
  const prototype = Object.create(null, {
    ...Object.fromEntries(
      Object.entries(makers).map(([name, maker]) => [
        name,
        {
          enumerable: true,
          get(this: { readonly session: Session }) {
            return make(maker, this.session);
          },
        },
      ]),
    ),
  }) as object;
  return (session: Session): object =>
    Object.create(prototype, { session: { value: session } }) as object;
}

const writing = storesBy((maker, session) => maker(session));
const readOnly = storesBy((maker, session) => reading(maker(session)));

export const storesOf = (session: Session): Stores => writing(session) as Stores;
export const readStoresOf = (session: Session): ReadStores => readOnly(session) as ReadStores;
