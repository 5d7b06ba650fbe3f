import type { Strategy, Timeframe } from '../service/records.js';
import { changeBetween, compounded } from './decimal-text.js';

/** The part of a record that the page shows: a timeframe, the whole segment, or own dates (UTC, both included). */
export type Range =
  | { readonly timeframe: Timeframe | 'all' }
  | { readonly from?: string; readonly to?: string };

/** What a page shows of a record, and beside it. */
export interface View {
  readonly range: Range;
  /** A stock to compare with, as its symbol and exchange. */
  readonly benchmark: string | null;
}

/** Whether the range is of own dates. */
export const isOwn = (range: Range): range is Exclude<Range, { readonly timeframe: string }> =>
  !('timeframe' in range);

/** The return and the drawdown of a range as the service tells them; undefined where it is asked for them apart. */
export function figuresIn(strategy: Strategy, range: Range) {
  if (isOwn(range)) return undefined;
  if (range.timeframe === 'all') return strategy.segments.at(-1);
  return strategy.timeframes.find(({ timeframe }) => timeframe === range.timeframe);
}

/** A return that was read with the strategy, up to `now`: the value moves on, and the return beside it too. */
export function returnAt(
  { strategy_value: then }: Strategy,
  read: string | null,
  now: string | null | undefined,
): string | null | undefined {
  const since = then && now && changeBetween(then, now);
  return read && since ? compounded([read, since]) : read;
}

/**
 * The range as a request of statistics names it: without a name they are of the whole segment. Days count when they are over, so without one
 * that began after `dayAgo`, an ISO time, they end with the newest that counts.
 */
export function spanOf(range: Range, dayAgo: string) {
  if (isOwn(range)) return (range.to ?? '') > dayAgo ? { ...range, to: undefined } : range;
  return range.timeframe === 'all' ? {} : { timeframe: range.timeframe };
}
