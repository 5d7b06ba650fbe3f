import type { Book } from '../trading/book.js';
import type { Decimal } from '../numbers/decimal.js';
import type { Quote, Session, TradedInstrument } from './stock.js';
import type { StockId, Timestamp } from '../ids.js';
import type { QuoteSource } from './source.js';

/**
 * The world as the rules see it at one moment. Lookups only: the same view always gives the same answer.
 * A host may know more of its instruments than the rules need (`Market<Stock>`).
 */
export interface Market<Known extends TradedInstrument = TradedInstrument> {
  readonly now: Timestamp;
  /** The stock, or undefined when there is none with that id. */
  stock(stockId: StockId): Known | undefined;
  /** The latest usable quote, however old, or undefined before the first one. Used for values and sizes. */
  quote(stockId: StockId): Quote | undefined;
  /** The latest quote if it is fresh enough to trade at (contract 3), else undefined. */
  freshQuote(stockId: StockId): Quote | undefined;
  /** The regular session that is open now on the stock's exchange, or undefined when it is closed. */
  session(stock: TradedInstrument): Session | undefined;
  /** The origin of the stock's quotes. Fills of a host without this method are of an `unknown` market. */
  source?(this: void, stockId: StockId): QuoteSource;
  /** Remembered sums over the holdings of a book, if the host has them; undefined while a quote is missing. */
  holdings?(this: void, book: Book): Holdings | undefined;
}

/** Sums over the holdings of a book: of their values, and of the absolute values. */
export interface Holdings {
  readonly value: Decimal;
  readonly gross: Decimal;
}
