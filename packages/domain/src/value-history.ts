import type { Decimal } from './decimal.js';
import type { Timestamp } from './ids.js';

/** What a strategy's value did in `[start, start + length)`; merging neighbours loses nothing of last, extremes and drawdown. */
export interface ValueBucket {
  readonly start: Timestamp;
  /** Milliseconds: a minute, 15 minutes, an hour or a day. */
  readonly length: number;
  readonly last: Decimal;
  readonly lastAt: Timestamp;
  readonly high: Decimal;
  readonly low: Decimal;
  /** The largest (peak - value) / peak inside the bucket, a positive fraction. */
  readonly drawdown: Decimal;
}
