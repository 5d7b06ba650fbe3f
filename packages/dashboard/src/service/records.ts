import type { ResponseOf } from '@slipstream/wire';

type Item<List> = List extends readonly (infer One)[] ? One : never;

export type Strategy = Item<ResponseOf<'getStrategies'>>;
export type Subscription = Item<ResponseOf<'getStrategySubscriptions'>>;
export type Statistics = ResponseOf<'getStrategyStatistics'>;
export type Trade = Item<ResponseOf<'getTrades'>>;
export type PlanPreview = ResponseOf<'previewOrderAllocations'>;

/** The spans of time of curves and ranks, with their labels. */
export const TIMEFRAMES = [
  ['day', '24 h'],
  ['week', '7 days'],
  ['month', '30 days'],
  ['year', 'Year'],
  ['five_year', '5 years'],
] as const;
export type Timeframe = (typeof TIMEFRAMES)[number][0];

/** The figures of a strategy in a timeframe. */
export const inTimeframe = (strategy: Strategy, timeframe: Timeframe) =>
  strategy.timeframes.find((one) => one.timeframe === timeframe);
