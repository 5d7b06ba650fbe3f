import type { ReadStores, Stores } from '@slipstream/ports';
import type { Session } from './session.js';
import { sqlBooks } from './stores/books.js';
import { sqlBotOrders, sqlBrokerAccounts } from './stores/bot-orders.js';
import { sqlBots } from './stores/bots.js';
import { sqlOrders, sqlTrades } from './stores/orders.js';
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
});
