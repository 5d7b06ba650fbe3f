import {
  type Decimal,
  type RecordedEntry,
  type RefusedRequest,
  type ReportContent,
  type StatisticsRequest,
  type Timestamp,
  decimalText,
  disclosureOf,
  finish,
  id,
  isoDay,
  DAY,
  recordReader,
  statisticsInSteps,
  strategySeries,
} from '@slipstream/domain';
import { type StockNames, segmentsOf, tradesOf } from './recorded.js';

/** A downloaded track record and the names of its report. */
export interface RecordToReport {
  readonly strategyId: string;
  /** The strategy's name; no entry of a record says it. */
  readonly name: string;
  /** When the strategy was created; no entry says it. Without it the record starts with its first entry. */
  readonly createdAt?: Timestamp | undefined;
  /** Oldest first, checked by `verifyTrack` before. */
  readonly entries: readonly (RecordedEntry & { readonly hash: string })[];
  readonly at: Timestamp;
  /** For people, for example `AAPL:NASDAQ`. */
  readonly stockName: StockNames;
  /** The symbols of the breakdown by stock, as getStrategyStatistics answers them; the names without it. */
  readonly symbolOf?: StockNames;
  readonly benchmarkName?: string;
  readonly refused?: readonly RefusedRequest[];
  readonly notes?: readonly string[];
  /** The operator's own text beside the disclosure. */
  readonly ownText?: string | undefined;
}

/** How the statistics are computed (contract 9). */
export interface ReportRequest extends Omit<StatisticsRequest, 'to' | 'riskFree'> {
  /** The last day; the last one that the record closes without it. */
  readonly to?: string;
  /** A yearly fraction. */
  readonly riskFree: Decimal;
  /** Days that do not count because the exchanges were closed against their rules. */
  readonly closedDays?: readonly string[];
}

/** The last day that the record closes; the day before `at` for a record without one. */
function lastDay({ entries, at }: RecordToReport): string {
  const closed = entries.findLast(({ kind }) => kind === 'value');
  return isoDay(closed?.at ?? at - DAY);
}

/**
 * The content of a report, computed from a track record alone: the figures are those of getStrategyStatistics, to the digit
 * (contract 9).
 * @throws when an entry's body is not the one of an entry.
 */
export function contentOfRecord(record: RecordToReport, given: ReportRequest): ReportContent {
  const { entries, createdAt, stockName, refused = null, notes = [] } = record;
  const { symbolOf = stockName } = record;
  const { riskFree, benchmark, ...rest } = given;
  const request = { ...rest, to: rest.to ?? lastDay(record) };
  const reader = recordReader(createdAt);
  for (const entry of entries) reader.add(entry);
  const figures = reader.figures();
  // Statistics are computed in doubles: they are not money (contract 9).
  const { roundTrips, ...statistics } = finish(
    statisticsInSteps(figures, {
      ...request,
      riskFree: Number(decimalText(riskFree)),
      ...(benchmark && { benchmark }),
    }),
  );
  // The figure is of the whole segment only without a first day.
  const fall = request.from === undefined ? statistics.maxDrawdown.value : null;
  const segments = segmentsOf(entries, createdAt, fall);
  const basis = segments.at(-1)?.basis ?? 'simulated';
  return {
    name: record.name,
    at: record.at,
    statistics: {
      strategyId: id(record.strategyId),
      basis,
      disclosure: disclosureOf(basis, record.ownText),
      segmentSince: figures.segment?.startedAt ?? null,
      daysPerYear: request.daysPerYear,
      closedDays: request.closedDays ?? [],
      riskFree,
      benchmark: benchmark?.stockId ?? null,
      ...statistics,
      series: null,
      roundTrips: {
        ...roundTrips,
        byStock: roundTrips.byStock.map((trips) => ({
          ...trips,
          symbol: symbolOf(trips.stockId),
        })),
      },
    },
    series: strategySeries(figures, request),
    segments,
    trades: tradesOf(entries, stockName),
    beside: 'files',
    refused,
    benchmark: benchmark
      ? { name: record.benchmarkName ?? benchmark.stockId, closes: benchmark.closes }
      : null,
    head: entries.at(-1)?.hash ?? null,
    notes,
  };
}
