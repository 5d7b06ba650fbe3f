import type { Timestamp } from '../ids.js';
import type { Basis, SegmentReason } from '../performance/segments.js';
import type { StatisticsView } from './statistics-view.js';
import type { SeriesPoint } from './strategy-statistics.js';

/** A part of the record on one kind of prices (contract 8). */
export interface ReportSegment {
  readonly from: Timestamp;
  /** Null while it goes on. */
  readonly to: Timestamp | null;
  readonly basis: Basis;
  readonly reason: SegmentReason;
  /** A fraction, as decimal text; null while it is not known. */
  readonly return: string | null;
  /** A positive fraction, as decimal text; null while it is not known. */
  readonly maxDrawdown: string | null;
}

/** A fill of the strategy. Prices are market prices; amounts, totals and fees are normalized; all are decimal text. */
export interface ReportTrade {
  readonly at: Timestamp;
  /** The stock's name for people. */
  readonly stock: string;
  readonly action: 'buy' | 'sell';
  readonly amount: string;
  readonly price: string;
  readonly total: string;
  readonly fee: string;
  /** The strategy's value after the fill; null while it was not known. */
  readonly strategyValue: string | null;
}

/** A request that was refused, and why. */
export interface RefusedRequest {
  readonly at: Timestamp;
  readonly request: string;
  readonly reason: string;
}

/** Daily closes beside the strategy's values. */
export interface ReportBenchmark {
  readonly name: string;
  /** By date (`YYYY-MM-DD`). */
  readonly closes: ReadonlyMap<string, number>;
}

/** Everything that a report shows. The report computes no figure: it draws these. */
export interface ReportContent {
  readonly name: string;
  /** When the content was computed. */
  readonly at: Timestamp;
  readonly statistics: StatisticsView;
  /** The daily series that the statistics are of, oldest first. */
  readonly series: readonly SeriesPoint[];
  readonly segments: readonly ReportSegment[];
  /** Oldest first; null for readers who may not see them. */
  readonly trades: readonly ReportTrade[] | null;
  /** Where all of them are, and all refusals: in files beside the report, or in the answers of the service. */
  readonly beside: 'files' | 'service';
  /** Oldest first; null where they are not kept, or for readers who may not see them. */
  readonly refused: readonly RefusedRequest[] | null;
  readonly benchmark: ReportBenchmark | null;
  /** The hash of the record's last entry; null for an empty record. */
  readonly head: string | null;
  /** Sentences about the data and how it was made, for example the spread of a replay. */
  readonly notes: readonly string[];
}
