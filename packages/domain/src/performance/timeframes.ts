/** Spans of time that performance is shown over (spec 2.4). */
export const TIMEFRAMES = ['day', 'week', 'month', 'year', 'five_year'] as const;
export type Timeframe = (typeof TIMEFRAMES)[number];
