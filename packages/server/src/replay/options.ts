import type { Decimal, Security, Timestamp } from '@slipstream/domain';
import type { DataFile } from './data/read-data.js';
import type { PriceChoice } from './data/rows.js';
import type { BarTime } from './data/times.js';

/** What the user asked of a replay. */
export interface ReplayOptions {
  readonly data: readonly DataFile[];
  readonly factors?: string | undefined;
  /** What trades: target allocations (.csv), an alert log or a module. */
  readonly orders: { readonly kind: 'allocations' | 'alerts' | 'module'; readonly file: string };
  readonly out: string;
  readonly force?: boolean;
  readonly type: Security;
  readonly hours: 'exchange' | 'always';
  readonly prices?: PriceChoice;
  readonly symbols?: readonly string[] | undefined;
  readonly timeZone?: string | undefined;
  readonly barTime?: BarTime | undefined;
  /** The length of bars in milliseconds. */
  readonly interval?: number | undefined;
  /** Fractions; undefined for those of each instrument. */
  readonly fee?: Decimal | undefined;
  readonly slippage?: Decimal | undefined;
  /** Undefined: the slippage. */
  readonly spread?: Decimal | undefined;
  /** `YYYY-MM-DD`, both included; bars before `from` only become history. */
  readonly from?: string | undefined;
  readonly to?: string | undefined;
  readonly minN?: number | undefined;
  /** A file that counts the replays of one search; the deflated Sharpe ratio is of all of them. */
  readonly trials?: string | undefined;
  /** Ends the replay with its reason, between two bars. */
  readonly signal?: AbortSignal | undefined;
  /** A stock of the data beside which the statistics are computed. */
  readonly benchmark?: string | undefined;
}

/** How a replay goes on. `total` bars are known when they are read. */
export interface ReplayProgress {
  reading(bars: number): void;
  playing(bars: number, total: number, at: Timestamp): void;
  said(line: string): void;
}

/** How a replay ended. */
export interface ReplayResult {
  /** The bars that were played, and the rows of the data that were not used. */
  readonly bars: number;
  readonly dropped: number;
  readonly trades: number;
  /** The orders that were refused or rejected. */
  readonly refused: number;
  /** The value of the strategy at the end, which began with 1; null when it is unknown. */
  readonly value: string | null;
}
