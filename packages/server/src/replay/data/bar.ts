import type { Timestamp } from '@slipstream/domain';

/** The prices of one period. They are read as doubles: the shortest text of a double is exact up to 15 digits. */
export interface Prices {
  readonly open: number;
  readonly high: number;
  readonly low: number;
  readonly close: number;
}

/** A line of a data file. */
export interface Place {
  /** Its place in the list of files. */
  readonly file: number;
  readonly line: number;
}

/** One period of one instrument. `startsAt` is included, `endsAt` is not. */
export interface Bar extends Place {
  /** The instrument's place in the list of symbols. */
  readonly symbol: number;
  readonly startsAt: Timestamp;
  readonly endsAt: Timestamp;
  /** Trades, or bids where `asks` is there. */
  readonly prices: Prices;
  readonly asks: Prices | null;
}

/** A row that was not used, and why. */
export interface Dropped {
  readonly file: string;
  readonly line: number;
  readonly reason: string;
}

/** A split or a dividend, in force from the session of a day. */
export type DataAction = {
  readonly symbol: string;
  /** The first day with it, `YYYY-MM-DD`. */
  readonly exDate: string;
  readonly file: string;
  readonly line: number;
} & (
  | { readonly kind: 'split'; readonly newShares: number; readonly oldShares: number }
  | { readonly kind: 'dividend'; readonly amount: string }
);

/** An extreme that is this many times its open and close, or this part of them, is no price that anybody could count on. */
const ABSURD = 2;

/** Why rows with such an extreme are not used. */
export const ABSURD_EXTREMES: readonly string[] = [
  `the high is more than ${ABSURD} times open and close`,
  `the low is less than 1/${ABSURD} of open and close`,
];

/**
 * Why the prices cannot be those of a period; undefined if they can. The last rule is one of likelihood: far extremes are faulty or
 * cancelled prints as a rule, at which stops and limits would fill for a gain or a loss that nobody had.
 */
export function impossible({ open, high, low, close }: Prices): string | undefined {
  if (!(open > 0 && high > 0 && low > 0 && close > 0)) return 'a price is not above 0';
  if (high < Math.max(open, close) || low > Math.min(open, close))
    return 'high and low do not enclose open and close';
  if (high > Math.max(open, close) * ABSURD) return ABSURD_EXTREMES[0];
  if (low * ABSURD < Math.min(open, close)) return ABSURD_EXTREMES[1];
  return undefined;
}

/** With a digit before the point or after it. */
const NUMBER = /^\+?(?=\.?\d)\d{0,18}(\.\d*)?(e[-+]?\d{1,2})?$/i;

/** The price in a cell; a text if it has none. */
export function priceIn(cell: string | undefined): number | string {
  const text = cell?.trim() ?? '';
  if (text === '' || /^(null|nan|n\/a)$/i.test(text)) return 'a price is missing';
  return NUMBER.test(text) ? Number(text) : `"${text.slice(0, 40)}" is no price`;
}
