import type { Quote, Session, Stock } from './stock.js';
import type { StockId, Timestamp } from './ids.js';

/** What the rules see of the world at one moment. Lookups only: the same view always gives the same answer. */
export interface Market {
  readonly now: Timestamp;
  /** The stock, or undefined when there is none with that id. */
  stock(stockId: StockId): Stock | undefined;
  /** The latest usable quote however old, or undefined when none came yet. Values and sizes. */
  quote(stockId: StockId): Quote | undefined;
  /** The latest quote if it is fresh enough to trade at (contract 3), else undefined. */
  freshQuote(stockId: StockId): Quote | undefined;
  /** The regular session that is open now on the stock's exchange, or undefined when it is closed. */
  session(stock: Stock): Session | undefined;
}
