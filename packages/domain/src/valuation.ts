import type { Book, Position } from './book.js';
import { type Decimal, ZERO, sign } from './decimal.js';
import type { StockId } from './ids.js';
import type { Market } from './market.js';
import type { Quote } from './stock.js';

type Quotes = Pick<Market, 'quote'>;

/** What a long is valued at (bid) or a short at (ask). Spec 1, "Normalized units". */
export const valuationPrice = (amount: Decimal, quote: Quote): Decimal =>
  sign(amount) >= 0 ? quote.bid : quote.ask;

/** Signed, normalized: a short's value is negative. */
export const positionValue = (position: Pick<Position, 'amount'>, quote: Quote): Decimal =>
  position.amount.times(valuationPrice(position.amount, quote));

/** Cash plus all positions (contract 3, "Value"); undefined while a quote is missing, never a guess. */
export function strategyValue(book: Book, market: Quotes): Decimal | undefined {
  let value = book.cash;
  for (const position of book.positions.values()) {
    const quote = market.quote(position.stockId);
    if (!quote) return undefined;
    value = value.plus(positionValue(position, quote));
  }
  return value;
}

/** Sum of |value| over the positions, without that of `except`; undefined while a quote is missing. */
export function grossExposure(book: Book, market: Quotes, except?: StockId): Decimal | undefined {
  let gross = ZERO;
  for (const position of book.positions.values()) {
    if (position.stockId === except) continue;
    const quote = market.quote(position.stockId);
    if (!quote) return undefined;
    gross = gross.plus(positionValue(position, quote).abs());
  }
  return gross;
}

/** The signed holding of a stock, zero when there is none. */
export const holding = (book: Book, stockId: StockId): Decimal =>
  book.positions.get(stockId)?.amount ?? ZERO;
