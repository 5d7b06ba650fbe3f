import { isoDay } from '../calendar.js';
import type { StockId } from '../ids.js';
import type { HistoryPoint } from '../performance/values/equal-times.js';
import { type PairedReturns, alpha, beta, correlation, tracking } from './measures/benchmark.js';
import { type Figure, type FigureGap, type FigureSpan, figureOf, figureText } from './figure.js';
import { type DailySeries, dateOfDay, returnsOf } from './series.js';

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

/** The last close at or before the date. */
function closeBefore(closes: ReadonlyMap<string, number>, date: string): number | undefined {
  let [last, close]: [string, number | undefined] = ['', undefined];
  for (const [at, one] of closes) if (at <= date && at > last) [last, close] = [at, one];
  return close;
}

/**
 * Both returns between the days that have a value and a close. A segment's first value is of no close, so the first day's
 * return counts only if the window begins after it.
 */
function pairedReturns(series: DailySeries, { closes }: Benchmark): PairedReturns | null {
  const [values, prices]: [number[], number[]] = [[], []];
  const before = series.isFromStart ? undefined : closeBefore(closes, dateOfDay(series.baseDay));
  if (before !== undefined) {
    values.push(series.base);
    prices.push(before);
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
  { daysPerYear, riskFree, minN }: ReturnScale,
  span: FigureSpan,
): BenchmarkFigures {
  const none = (gap: FigureGap, n = 0) => {
    const figure = figureOf(span, n, gap);
    return { beta: figure, alpha: figure, correlation: figure, tracking: figure };
  };
  if (!benchmark) return none('no_benchmark');
  const pairs = pairedReturns(series, benchmark);
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
