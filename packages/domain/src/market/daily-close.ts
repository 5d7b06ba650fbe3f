import type { StockId, Timestamp } from '../ids.js';
import { type Decimal, decimalText } from '../numbers/decimal.js';
import { dayOf } from '../performance/values/value-day.js';
import { isoDay } from '../calendar.js';
import { DAY } from '../time.js';
import { splitRatio } from './split.js';
import type { Quote } from './stock.js';
import type { StockAction } from './stock-action.js';

/** The last price of a stock on a UTC day, in the shares of that time (contract 9). */
export interface DailyClose {
  readonly stockId: StockId;
  /** The UTC day, as days since 1970. */
  readonly day: number;
  /** The time of the price: splits from later on are not in it. */
  readonly at: Timestamp;
  readonly last: Decimal;
}

/** The close of the quote's day, if no later quote of that day comes. */
export const closeOf = ({ stockId, at, last }: Pick<Quote, 'stockId' | 'at' | 'last'>) =>
  ({ stockId, day: dayOf(at), at, last }) satisfies DailyClose;

/** The close that a split leaves behind, in old shares, whatever the time of its quote. */
export const closeBeforeSplit = (quote: Quote, splitAt: Timestamp): DailyClose => ({
  ...closeOf(quote),
  at: Math.min(quote.at, splitAt - 1),
});

const numberOf = (value: Decimal): number => Number(decimalText(value));

/**
 * Closes by date (`YYYY-MM-DD`) in the shares after all of these splits, without dividends. Both lists are oldest first.
 * Statistics are computed in doubles: they are not money.
 */
export function splitAdjusted(
  closes: readonly DailyClose[],
  splits: readonly StockAction[],
): ReadonlyMap<string, number> {
  const adjusted = new Map<string, number>();
  for (const { day, at, last } of closes) {
    let price = numberOf(last);
    for (const split of splits) {
      if (split.createdAt <= at) continue;
      const { newShares, oldShares } = splitRatio(split);
      price = (price * numberOf(oldShares)) / numberOf(newShares);
    }
    adjusted.set(isoDay(day * DAY), price);
  }
  return adjusted;
}
