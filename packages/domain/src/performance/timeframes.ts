import type { Decimal } from '../numbers/decimal.js';

/** The time spans of performance figures (spec 2.4). */
export const TIMEFRAMES = ['day', 'week', 'month', 'year', 'five_year'] as const;
export type Timeframe = (typeof TIMEFRAMES)[number];

/** Something of the asked timeframes, in the order in which they were asked for. A map would take six times the memory. */
export type OverTimeframes<Figures> = { readonly [Of in Timeframe]?: Figures };

/** The figures of each of the timeframes. */
export function overEach<Figures>(
  timeframes: readonly Timeframe[],
  figuresOf: (timeframe: Timeframe, index: number) => Figures | undefined,
): OverTimeframes<Figures> {
  const found: { [Of in Timeframe]?: Figures } = {};
  for (const [index, timeframe] of timeframes.entries()) {
    const figures = figuresOf(timeframe, index);
    if (figures !== undefined) found[timeframe] = figures;
  }
  return found;
}

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
