import { dayStart } from '../calendar.js';
import { dayOf } from '../performance/values/value-day.js';
import { type Steps, finish } from '../steps.js';
import { exposureOf, tradingOf } from './activity.js';
import {
  type Benchmark,
  type BenchmarkFigures,
  type ReturnScale,
  comparedWith,
} from './compared.js';
import { type FallFigures, fallFigures } from './fall-figures.js';
import { type Figure, type FigureGap, figureOf, figureText } from './figure.js';
import { type Month, monthsOf } from './monthly.js';
import type { RecordFigures } from './record/record-reader.js';
import { type DatedFigure, type ReturnFigures, best, returnFigures } from './return-figures.js';
import { type RoundTripsBySide, roundTripsBySide } from './round-trips.js';
import { type DailySeries, type Window, dailySeries, spanOf } from './series.js';

/** How statistics are computed (contract 9). Dates are `YYYY-MM-DD` in UTC, both included. */
export interface StatisticsRequest extends ReturnScale {
  /** The first day; the segment's first without it. Days before the segment never count. */
  readonly from?: string;
  readonly to: string;
  /** Returns in a year: 252 for stocks, 365 for coins and for markets that never close. */
  readonly daysPerYear: 252 | 365;
  /** Whether the day has a regular session. */
  readonly isTradingDay: (date: string) => boolean;
  readonly benchmark?: Benchmark;
}

/** A month's compounded return. */
export interface MonthlyReturn {
  readonly year: number;
  /** 1 is January. */
  readonly month: number;
  /** A decimal of 12 significant digits. */
  readonly return: string;
  /** Whether days of the month are outside the span. */
  readonly partial: boolean;
}

/** A day of the series: its value, and its return since the counted day before (null where that was not positive). */
export interface SeriesPoint {
  readonly date: string;
  readonly value: string;
  readonly return: string | null;
}

/** Every figure of contract 9, of one span of a record. */
export interface StrategyStatistics extends ReturnFigures, FallFigures, BenchmarkFigures {
  /** The first and last day; `from` is null where no segment goes on in the span. */
  readonly from: string | null;
  readonly to: string;
  readonly bestMonth: DatedFigure;
  readonly worstMonth: DatedFigure;
  /** The number of months with a gain; `n` is the number of all months, part months too. */
  readonly positiveMonths: Figure;
  /** The part of the time with a position. */
  readonly exposure: Figure;
  /** Gross exposure / value at the close, on average. */
  readonly meanGross: Figure;
  readonly largestGross: Figure;
  /** min(bought, sold) / mean value, a year. */
  readonly turnover: Figure;
  /** Fees and slippage / mean value, over the span; `fees` and `slippage` are its parts. */
  readonly costs: Figure;
  readonly fees: Figure;
  readonly slippage: Figure;
  /** Oldest first. */
  readonly monthly: readonly MonthlyReturn[];
  readonly roundTrips: RoundTripsBySide;
}

const dayOfDate = (date: string): number => dayOf(dayStart(date));

/** A record without a segment that goes on has no days, so that every figure says so. */
const EMPTY = {
  segment: { startedAt: 0, value: 1 },
  ...{ days: [], flows: [], trips: [], held: [] },
} as const satisfies RecordFigures;

function monthFigures(months: readonly Month[], gap: 'no_days' | 'not_positive', window: Window) {
  const span = spanOf(window);
  const growths = months.map(({ growth }) => growth);
  const nameAt = (index: number): string => {
    const { year = 0, month = 0 } = months[index] ?? {};
    return [year, month].map((part) => String(part).padStart(2, '0')).join('-');
  };
  const positive = growths.filter((growth) => growth > 0).length;
  return {
    bestMonth: best(span, growths, nameAt, 1, gap),
    worstMonth: best(span, growths, nameAt, -1, gap),
    positiveMonths: figureOf(span, months.length, months.length === 0 ? gap : positive),
    monthly: months.map(({ year, month, growth, isPartial }) => ({
      ...{ year, month, return: figureText(growth), partial: isPartial },
    })),
  };
}

function activityFigures(
  figures: RecordFigures & { readonly segment: NonNullable<RecordFigures['segment']> },
  series: DailySeries,
  window: Window,
) {
  const { time, meanGross, largestGross } = exposureOf(figures, figures.segment, series, window);
  const { turnover, fees, slippage, costs } = tradingOf(figures, series, window);
  const n = series.values.length;
  const given = (result: number | FigureGap) =>
    figureOf(spanOf(window), n, n === 0 ? 'no_days' : result);
  return {
    exposure: given(time),
    meanGross: given(meanGross),
    largestGross: given(largestGross),
    turnover: given(turnover),
    costs: given(costs),
    fees: given(fees),
    slippage: given(slippage),
  };
}

type SpanRequest = Pick<StatisticsRequest, 'from' | 'to' | 'isTradingDay'>;

/** The window of a request in the segment that goes on, with its series; that of its last day, and empty, without a segment. */
function seriesOf(record: RecordFigures, request: SpanRequest) {
  const to = dayOfDate(request.to);
  const { segment } = record;
  const first = segment ? dayOf(segment.startedAt) : to + 1;
  const from = Math.max(first, request.from === undefined ? first : dayOfDate(request.from));
  const isEmpty = !segment || from > to;
  const figures = isEmpty ? EMPTY : { ...record, segment };
  const window = isEmpty ? { from: to, to } : { from, to };
  const counts = isEmpty ? () => false : request.isTradingDay;
  const series = dailySeries(figures, figures.segment, window, counts);
  return { isEmpty, figures, window, counts, series };
}

/** The daily series that the statistics of the same request are of, oldest first. */
export function strategySeries(record: RecordFigures, request: SpanRequest): SeriesPoint[] {
  const { dates, values, returns } = seriesOf(record, request).series;
  return dates.map((date, at) => ({
    date,
    value: figureText(values[at] ?? 0),
    return: returns ? figureText(returns[at] ?? 0) : null,
  }));
}

/**
 * The statistics of the segment of a record that goes on, in a window of it (contract 9), in steps of a few milliseconds. A pure
 * function of the record's figures: the server and the offline report give the same digits.
 */
export function* statisticsInSteps(
  record: RecordFigures,
  request: StatisticsRequest,
): Steps<StrategyStatistics> {
  const { isEmpty, figures, window, counts, series } = seriesOf(record, request);
  const span = spanOf(window);
  yield;
  const months = monthsOf(series, window, counts);
  yield;
  const returns = returnFigures(series, request, span);
  yield;
  const falls = fallFigures(figures, series, window, span, request.minN);
  yield;
  const activity = activityFigures(figures, series, window);
  yield;
  const counted = { figures, window, isTradingDay: counts };
  const compared = comparedWith(request.benchmark, series, counted, request, span);
  yield;
  const trips = figures.trips.filter(({ closedAt }) => {
    const day = dayOf(closedAt);
    return day >= window.from && day <= window.to;
  });
  return {
    from: isEmpty ? null : span.from,
    to: span.to,
    ...returns,
    ...falls,
    ...monthFigures(months, series.returns ? 'no_days' : 'not_positive', window),
    ...activity,
    ...compared,
    roundTrips: roundTripsBySide(trips, span),
  };
}

/** The same without a break. */
export const strategyStatistics = (
  record: RecordFigures,
  request: StatisticsRequest,
): StrategyStatistics => finish(statisticsInSteps(record, request));
