import { isoDay } from '../calendar.js';
import type { StockId } from '../ids.js';
import type { HistoryPoint } from '../performance/values/equal-times.js';
import { dayOf } from '../performance/values/value-day.js';
import { type PairedReturns, alpha, beta, correlation, tracking } from './measures/benchmark.js';
import { type Figure, type FigureGap, type FigureSpan, figureOf, figureText } from './figure.js';
import type { RecordFigures, SegmentBase } from './record/record-reader.js';
import { type DailySeries, type Window, dateOfDay, returnsOf } from './series.js';

/** A stock's daily closes by date (`YYYY-MM-DD`), split-adjusted, without dividends. */
export interface Benchmark {
  readonly stockId: StockId;
  readonly closes: ReadonlyMap<string, number>;
}

/** The figures against a benchmark (contract 9). */
export interface BenchmarkFigures {
  /** Covariance / variance of the benchmark. */
  readonly beta: Figure;
  /** mean(r - beta x b) x days a year, above the risk-free return. */
  readonly alpha: Figure;
  readonly correlation: Figure;
  /** Sample deviation of (r - b) x root(days a year). */
  readonly tracking: Figure;
}

/** How far before a window the last close may be from which its first return counts. */
const BEFORE = 31;

/** The value and the close of the last counted day before a window that has a close; undefined without one in the segment. */
function lastBefore(
  { figures, window, isTradingDay }: ComparedRecord,
  { closes }: Benchmark,
): readonly [value: number, close: number] | undefined {
  const { segment, days } = figures;
  const first = Math.max(dayOf(segment.startedAt), window.from - BEFORE);
  for (let day = window.from - 1; day >= first; day -= 1) {
    const date = dateOfDay(day);
    const close = closes.get(date);
    if (close === undefined || !isTradingDay(date)) continue;
    return [days.findLast((one) => one.day <= day)?.close ?? segment.value, close];
  }
  return undefined;
}

/**
 * Both returns between the days that have a value and a close. A segment's first value is of no close, so the first day's
 * return counts only if the window begins after it.
 */
function pairedReturns(
  series: DailySeries,
  record: ComparedRecord,
  benchmark: Benchmark,
): PairedReturns | null {
  const { closes } = benchmark;
  const [values, prices]: [number[], number[]] = [[], []];
  const before = lastBefore(record, benchmark);
  if (before) {
    values.push(before[0]);
    prices.push(before[1]);
  }
  for (const [at, date] of series.dates.entries()) {
    const close = closes.get(date);
    const value = series.values[at];
    if (close === undefined || value === undefined) continue;
    values.push(value);
    prices.push(close);
  }
  const [[base, ...own], [first, ...others]] = [values, prices];
  if (base === undefined || first === undefined) return { own: [], benchmark: [] };
  const [mine, theirs] = [returnsOf(base, own), returnsOf(first, others)];
  return mine && theirs && { own: mine, benchmark: theirs };
}

/** The record that a series is of, its window, and the days that count. */
export interface ComparedRecord {
  readonly figures: Pick<RecordFigures, 'days'> & { readonly segment: SegmentBase };
  readonly window: Window;
  readonly isTradingDay: (date: string) => boolean;
}

/** The request of a comparison: `minN` is the smallest number of returns that gives a ratio. */
export interface ReturnScale {
  readonly daysPerYear: number;
  /** A yearly fraction. */
  readonly riskFree: number;
  readonly minN: number;
}

/** The figures of a series against a benchmark; all are without a value if there is none. */
export function comparedWith(
  benchmark: Benchmark | undefined,
  series: DailySeries,
  record: ComparedRecord,
  { daysPerYear, riskFree, minN }: ReturnScale,
  span: FigureSpan,
): BenchmarkFigures {
  const none = (gap: FigureGap, n = 0) => {
    const figure = figureOf(span, n, gap);
    return { beta: figure, alpha: figure, correlation: figure, tracking: figure };
  };
  if (!benchmark) return none('no_benchmark');
  const pairs = pairedReturns(series, record, benchmark);
  if (!pairs) return none('not_positive');
  const n = pairs.own.length;
  if (n < 2) return none('no_benchmark', n);
  const daily = riskFree / daysPerYear;
  const excess = {
    own: pairs.own.map((one) => one - daily),
    benchmark: pairs.benchmark.map((one) => one - daily),
  };
  const ratio = (value: number | null) =>
    figureOf(span, n, n < minN ? 'few_returns' : (value ?? 'zero_deviation'));
  return {
    beta: ratio(beta(pairs)),
    alpha: ratio(alpha(excess, daysPerYear)),
    correlation: ratio(correlation(pairs)),
    tracking: figureOf(span, n, tracking(pairs, daysPerYear) ?? 'few_returns'),
  };
}

/**
 * The points, oldest first, with the benchmark's close of each one's day, or the last close before it. A point at midnight has the value
 * of the day that ends there, so it has the close of that day.
 */
export function besideBenchmark(
  points: readonly HistoryPoint[],
  { closes }: Benchmark,
): HistoryPoint[] {
  const sorted = [...closes].sort(([one], [other]) => (one < other ? -1 : 1));
  let next = 0;
  let close: string | null = null;
  return points.map((point) => {
    const day = isoDay(point.at - 1);
    for (; (sorted[next]?.[0] ?? '~') <= day; next += 1) {
      const found = sorted[next]?.[1];
      if (found !== undefined) close = figureText(found);
    }
    return { ...point, benchmark: close };
  });
}
