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

export const storesOf = (session: Session): Stores => ({
  users: sqlUsers(session),
  tokens: sqlTokens(session),
  strategies: sqlStrategies(session),
  subscriptions: sqlSubscriptions(session),
  books: sqlBooks(session),
  orders: sqlOrders(session),
  trades: sqlTrades(session),
  valueHistory: sqlValueHistory(session),
  stocks: sqlStocks(session),
  quotes: sqlQuotes(session),
  bots: sqlBots(session),
  botOrders: sqlBotOrders(session),
  brokerAccounts: sqlBrokerAccounts(session),
});

const WRITES: readonly string[] = ['save', 'remove'];

/** The stores without what writes, at run time too. */
export const readStoresOf = (session: Session): ReadStores =>
  Object.fromEntries(
    Object.entries(storesOf(session)).map(([name, store]: [string, object]) => [
      name,
      Object.fromEntries(Object.entries(store).filter(([method]) => !WRITES.includes(method))),
    ]),
  ) as unknown as ReadStores;
