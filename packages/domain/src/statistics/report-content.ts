import type { Timestamp } from '../ids.js';
import type { Decimal } from '../numbers/decimal.js';
import type { BotOrderStatus } from '../mirroring/bot.js';
import type { Basis, SegmentReason } from '../performance/segments.js';
import type { AccountStatistics } from './account-statistics.js';
import type { DeflatedSharpe } from './measures/deflated-sharpe.js';
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

/** An imported history: what the owner claims, which nobody checked. */
export interface ReportClaims {
  readonly importedAt: Timestamp;
  /** Oldest first; the values are decimal text in units of the first one. */
  readonly points: readonly { readonly date: string; readonly value: string }[];
}

/** Everything that a report shows. The report computes no figure: it draws these. */
export interface ReportContent {
  /** What the owner imported of the time before the strategy was here; undefined where nothing was. */
  readonly claimed?: ReportClaims | undefined;
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
  /** Of a replay that counts the trials of its search; nothing else names it. */
  readonly deflatedSharpe?: DeflatedSharpe | undefined;
  /** The hash of the record's last entry; null for an empty record. */
  readonly head: string | null;
  /** Sentences about the data and how it was made, for example the spread of a replay. */
  readonly notes: readonly string[];
}

/** The figures of a bot's account and its target, with how they were computed. */
export interface AccountStatisticsView extends AccountStatistics {
  readonly daysPerYear: number;
  /** A yearly fraction. */
  readonly riskFree: Decimal;
}

/** A reading of a bot's account, in USD, as decimal text. */
export interface ReportReading {
  readonly at: Timestamp;
  readonly equity: string;
  readonly cash: string;
}

/** What came in (positive) or went out of the account, with the reading after it. */
export interface ReportFlow extends ReportReading {
  readonly flow: string;
}

/** An order of a bot at its broker. Amounts in shares or coins, prices and fees in USD; all are decimal text. */
export interface ReportBotOrder {
  readonly at: Timestamp;
  /** The stock's name for people. */
  readonly stock: string;
  readonly action: 'buy' | 'sell';
  readonly amount: string;
  readonly status: BotOrderStatus;
  readonly filledAmount: string;
  readonly filledPrice: string | null;
  /** The strategies' price that it followed; null when it followed none. */
  readonly strategyPrice: string | null;
  /** The quote that it was planned with. */
  readonly plannedPrice: string | null;
  /** Null where the broker does not tell it with the order. */
  readonly fee: string | null;
  readonly reason: string | null;
}

/** Everything that the report of a bot shows, for its owner alone. The report computes no figure: it draws these. */
export interface BotReportContent {
  readonly name: string;
  /** The broker and its own identifier of the account. */
  readonly account: string;
  /** When the content was computed. */
  readonly at: Timestamp;
  /** Whether the account holds real money. */
  readonly live: boolean;
  readonly disclosure: string;
  readonly statistics: AccountStatisticsView;
  /** What it mirrors: the strategies' names, with their parts of the account as decimal text. */
  readonly mirrored: readonly { readonly name: string; readonly percent: string }[];
  /** The last reading; null before the first. */
  readonly last: ReportReading | null;
  /** The flows of a cent or more that are kept, oldest first. */
  readonly flows: readonly ReportFlow[];
  /** The last ones, oldest first. */
  readonly orders: readonly ReportBotOrder[];
}
