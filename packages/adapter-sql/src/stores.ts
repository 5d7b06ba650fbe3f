import type { ReadStores, Stores } from '@slipstream/ports';
import type { Session } from './session.js';
import { sqlAlerts } from './stores/alerts.js';
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

/** The stores of one work, each made when it is asked for: most works use two or three. */
export const storesOf = (session: Session): Stores => ({
  get users() {
    return sqlUsers(session);
  },
  get tokens() {
    return sqlTokens(session);
  },
  get strategies() {
    return sqlStrategies(session);
  },
  get subscriptions() {
    return sqlSubscriptions(session);
  },
  get books() {
    return sqlBooks(session);
  },
  get orders() {
    return sqlOrders(session);
  },
  get trades() {
    return sqlTrades(session);
  },
  get valueHistory() {
    return sqlValueHistory(session);
  },
  get stocks() {
    return sqlStocks(session);
  },
  get quotes() {
    return sqlQuotes(session);
  },
  get bots() {
    return sqlBots(session);
  },
  get botOrders() {
    return sqlBotOrders(session);
  },
  get brokerAccounts() {
    return sqlBrokerAccounts(session);
  },
  get stockActions() {
    return sqlStockActions(session);
  },
  get adjustments() {
    return sqlAdjustments(session);
  },
  get track() {
    return sqlTrack(session);
  },
  get alerts() {
    return sqlAlerts(session);
  },
  get keptAnswers() {
    return sqlKeptAnswers(session);
  },
  get notifications() {
    return sqlNotifications(session);
  },
  get posts() {
    return sqlPosts(session);
  },
  get likes() {
    return sqlLikes(session);
  },
  get mails() {
    return sqlMails(session);
  },
  get accountCodes() {
    return sqlAccountCodes(session);
  },
  get paymentSources() {
    return sqlPaymentSources(session);
  },
  get invoices() {
    return sqlInvoices(session);
  },
  get earnings() {
    return sqlEarnings(session);
  },
  get withdrawals() {
    return sqlWithdrawals(session);
  },
});

/** The store without what writes, at run time too. */
function reading<Store extends object>(store: Store): Omit<Store, 'save' | 'remove'> {
  const {
    save: _save,
    remove: _remove,
    ...reads
  } = store as Store & { save?: unknown; remove?: unknown };
  return reads;
}

export const readStoresOf = (session: Session): ReadStores => ({
  get users() {
    return reading(sqlUsers(session));
  },
  get tokens() {
    return reading(sqlTokens(session));
  },
  get strategies() {
    return reading(sqlStrategies(session));
  },
  get subscriptions() {
    return reading(sqlSubscriptions(session));
  },
  get books() {
    return reading(sqlBooks(session));
  },
  get orders() {
    return reading(sqlOrders(session));
  },
  get trades() {
    return reading(sqlTrades(session));
  },
  get valueHistory() {
    return reading(sqlValueHistory(session));
  },
  get stocks() {
    return reading(sqlStocks(session));
  },
  get quotes() {
    return reading(sqlQuotes(session));
  },
  get bots() {
    return reading(sqlBots(session));
  },
  get botOrders() {
    return reading(sqlBotOrders(session));
  },
  get brokerAccounts() {
    return reading(sqlBrokerAccounts(session));
  },
  get stockActions() {
    return reading(sqlStockActions(session));
  },
  get adjustments() {
    return reading(sqlAdjustments(session));
  },
  get track() {
    return reading(sqlTrack(session));
  },
  get alerts() {
    return reading(sqlAlerts(session));
  },
  get keptAnswers() {
    return reading(sqlKeptAnswers(session));
  },
  get notifications() {
    return reading(sqlNotifications(session));
  },
  get posts() {
    return reading(sqlPosts(session));
  },
  get likes() {
    return reading(sqlLikes(session));
  },
  get mails() {
    return reading(sqlMails(session));
  },
  get accountCodes() {
    return reading(sqlAccountCodes(session));
  },
  get paymentSources() {
    return reading(sqlPaymentSources(session));
  },
  get invoices() {
    return reading(sqlInvoices(session));
  },
  get earnings() {
    return reading(sqlEarnings(session));
  },
  get withdrawals() {
    return reading(sqlWithdrawals(session));
  },
});
