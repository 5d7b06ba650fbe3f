import type { Decimal } from '../numbers/decimal.js';

/** The time spans of performance figures (spec 2.4). */
export const TIMEFRAMES = ['day', 'week', 'month', 'year', 'five_year'] as const;
export type Timeframe = (typeof TIMEFRAMES)[number];

/** A strategy's performance in one timeframe; values are normalized, ranks are null for an unranked strategy. */
export interface TimeframeFigures {
  readonly timeframe: Timeframe;
  readonly rankPerformance: Decimal | null;
  readonly rankPopular: Decimal | null;
  readonly rankTrending: Decimal | null;
  readonly rankTop: Decimal | null;
  /** A fraction. */
  readonly maxDrawdown: Decimal;
  readonly pastValue: Decimal;
  /** From `pastValue` to the present value, a fraction; null while that is unavailable. */
  readonly return: Decimal | null;
}
