import { type Decimal, ONE, SMALLEST, divide, max, round18, sign } from '../numbers/decimal.js';
import type { StockId, Timestamp } from '../ids.js';
import type { Quote } from './stock.js';

/** A number of new shares for a number of old ones: exact even where their quotient is not (1:3). */
export interface SplitRatio {
  readonly newShares: Decimal;
  readonly oldShares: Decimal;
}

/** The ratio of a split, from its quotient or from its shares. */
export const splitRatio = (split: {
  readonly figure: Decimal;
  readonly newShares: Decimal | null;
  readonly oldShares: Decimal | null;
}): SplitRatio =>
  split.newShares && split.oldShares
    ? { newShares: split.newShares, oldShares: split.oldShares }
    : { newShares: split.figure, oldShares: ONE };

/** A split of a stock, and when. */
export interface StockSplit {
  readonly ratio: SplitRatio;
  readonly at: Timestamp;
}

/** The splits of some stocks, oldest first. */
export type Splits = ReadonlyMap<StockId, readonly StockSplit[]>;

/** What these splits make together; undefined when there are none. */
export function ratioOf(splits: readonly StockSplit[]): SplitRatio | undefined {
  if (splits.length === 0) return undefined;
  const together = (part: keyof SplitRatio): Decimal =>
    splits.reduce((product, { ratio }) => product.times(ratio[part]), ONE);
  return { newShares: together('newShares'), oldShares: together('oldShares') };
}

/** What the splits of a stock after that moment make together; undefined when there are none. */
export const ratioSince = (
  splits: Splits,
  stockId: StockId,
  moment: Timestamp,
): SplitRatio | undefined => ratioOf((splits.get(stockId) ?? []).filter(({ at }) => at > moment));

/** A price of one new share. One above zero stays above it, because prices of zero size and value nothing. */
export function splitPrice(price: Decimal, { newShares, oldShares }: SplitRatio): Decimal {
  const split = divide(price.times(oldShares), newShares);
  return sign(price) > 0 ? max(split, SMALLEST) : split;
}

/** The amount in new shares, rounded toward zero, and the part of an old share beyond 18 places. */
export function splitAmount(
  amount: Decimal,
  { newShares, oldShares }: SplitRatio,
): { readonly amount: Decimal; readonly rest: Decimal } {
  const whole = amount.times(newShares);
  const after = oldShares.eq(ONE) ? round18(whole, 'down') : divide(whole, oldShares, 'down');
  return { amount: after, rest: whole.minus(after.times(oldShares)) };
}

/** The quote in new shares. */
export const splitQuote = (quote: Quote, ratio: SplitRatio): Quote => ({
  ...quote,
  bid: splitPrice(quote.bid, ratio),
  ask: splitPrice(quote.ask, ratio),
  last: splitPrice(quote.last, ratio),
});
