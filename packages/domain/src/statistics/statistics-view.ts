import type { Decimal } from '../numbers/decimal.js';
import type { StockId, StrategyId, Timestamp } from '../ids.js';
import type { Basis } from '../performance/segments.js';
import type { RoundTripFigures, RoundTripsBySide } from './round-trips.js';
import type { SeriesPoint, StrategyStatistics } from './strategy-statistics.js';

/** The round trips of one stock. */
export interface StockRoundTrips extends RoundTripFigures {
  readonly stockId: StockId;
  readonly symbol: string | null;
}

/** Statistics of a strategy, as its readers may see them (contract 17). */
export interface StatisticsView extends Omit<StrategyStatistics, 'roundTrips'> {
  readonly strategyId: StrategyId;
  readonly basis: Basis;
  readonly disclosure: string;
  readonly segmentSince: Timestamp | null;
  readonly daysPerYear: number;
  /** Days on which the exchanges were closed against their rules, such as a day of mourning: they do not count. */
  readonly closedDays: readonly string[];
  /** A yearly fraction. */
  readonly riskFree: Decimal;
  /** The stock that the figures are compared with, if any. */
  readonly benchmark: StockId | null;
  /** The daily series, for tables only. */
  readonly series: readonly SeriesPoint[] | null;
  /** `byStock` is null for readers who may not see the trades. */
  readonly roundTrips: Omit<RoundTripsBySide, 'byStock'> & {
    readonly byStock: readonly StockRoundTrips[] | null;
  };
}
