import type { Book, Position } from '../trading/book.js';
import { type Decimal, ZERO, sign } from '../numbers/decimal.js';
import type { StockId } from '../ids.js';
import type { Holdings, Market } from '../market/market.js';
import type { Quote } from '../market/stock.js';

/** The price that values a long (bid) or a short (ask). Spec 1, "Normalized units". */
export const valuationPrice = (amount: Decimal, quote: Quote): Decimal =>
  sign(amount) >= 0 ? quote.bid : quote.ask;

/** Signed, normalized: a short's value is negative. */
export const positionValue = (position: Pick<Position, 'amount'>, quote: Quote): Decimal =>
  position.amount.times(valuationPrice(position.amount, quote));

type Values = Pick<Market, 'quote' | 'holdings'>;

function holdingsOf(
  positions: Iterable<Position>,
  market: Pick<Market, 'quote'>,
): Holdings | undefined {
  let [value, gross] = [ZERO, ZERO];
  for (const position of positions) {
    const quote = market.quote(position.stockId);
    if (!quote) return undefined;
    const worth = positionValue(position, quote);
    value = value.plus(worth);
    gross = gross.plus(worth.abs());
  }
  return { value, gross };
}

/**
 * The same market, which remembers the sums over the last book's holdings: after a fill the next sums differ only by its
 * change. The sums are exact, so their order does not matter.
 */
export function remembering(market: Market): Market {
  let last: { readonly positions: Book['positions']; readonly sums: Holdings } | undefined;
  const next = (positions: Book['positions']): Holdings | undefined => {
    if (!last) return holdingsOf(positions.values(), market);
    const { positions: before, sums } = last;
    const come = [...positions.values()].filter((one) => before.get(one.stockId) !== one);
    const gone = [...before.values()].filter((one) => positions.get(one.stockId) !== one);
    const [more, less] = [holdingsOf(come, market), holdingsOf(gone, market)];
    if (!more || !less) return undefined;
    return {
      value: sums.value.plus(more.value).minus(less.value),
      gross: sums.gross.plus(more.gross).minus(less.gross),
    };
  };
  const holdings = ({ positions }: Book): Holdings | undefined => {
    if (last?.positions === positions) return last.sums;
    const sums = next(positions);
    if (sums) last = { positions, sums };
    return sums;
  };
  return { ...market, holdings };
}

/**
 * Cash plus all positions (contract 3, "Value"); undefined while a quote is missing, never a guess.
 * @example
 * decimalText(strategyValue(newBook(id('mine')), market)) // => '1'
 */
export function strategyValue(book: Book, market: Values): Decimal | undefined {
  if (market.holdings) {
    const sums = market.holdings(book);
    return sums && book.cash.plus(sums.value);
  }
  let value = book.cash;
  for (const position of book.positions.values()) {
    const quote = market.quote(position.stockId);
    if (!quote) return undefined;
    value = value.plus(positionValue(position, quote));
  }
  return value;
}

/** Whether there is a quote of every holding. */
export const hasValue = (book: Book, market: Pick<Market, 'quote'>): boolean =>
  [...book.positions.keys()].every((stockId) => market.quote(stockId));

/** Sum of |value| over the positions, except that of `except`; undefined while a quote is missing. */
export function grossExposure(book: Book, market: Values, except?: StockId): Decimal | undefined {
  const sums = market.holdings?.(book);
  if (sums) {
    const left = except === undefined ? undefined : book.positions.get(except);
    const own = left && holdingsOf([left], market);
    return own ? sums.gross.minus(own.gross) : sums.gross;
  }
  let gross = ZERO;
  for (const position of book.positions.values()) {
    if (position.stockId === except) continue;
    const quote = market.quote(position.stockId);
    if (!quote) return undefined;
    gross = gross.plus(positionValue(position, quote).abs());
  }
  return gross;
}

/** The signed holding of a stock; zero without one. */
export const holding = (book: Book, stockId: StockId): Decimal =>
  book.positions.get(stockId)?.amount ?? ZERO;
