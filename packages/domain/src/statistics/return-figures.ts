import type { ReturnScale } from './compared.js';
import { type Figure, type FigureGap, type FigureSpan, figureOf } from './figure.js';
import { cagr, sharpe, sortino, volatility } from './measures/returns.js';
import type { DailySeries } from './series.js';
import {
  minimumTrackRecord,
  probabilisticSharpe,
  sharpeEstimate,
} from './measures/sharpe-significance.js';

/** A figure with its date: a day `YYYY-MM-DD` or a month `YYYY-MM`; null without a value. */
export interface DatedFigure extends Figure {
  readonly date: string | null;
}

/** The figures of daily returns (contract 9). */
export interface ReturnFigures {
  /** End / start - 1. */
  readonly totalReturn: Figure;
  /** (end / start)^(365.25 / calendar days) - 1, from 90 days on. */
  readonly cagr: Figure;
  /** Sample deviation of daily returns x root(days a year). */
  readonly volatility: Figure;
  /** Mean / sample deviation x root(days a year), above the risk-free return. */
  readonly sharpe: Figure;
  /** Mean x days a year / downside deviation over all days, above the risk-free return. */
  readonly sortino: Figure;
  /** The probability that the true Sharpe ratio is positive. */
  readonly probabilisticSharpe: Figure;
  /** The number of daily returns that would make that probability 0.95. */
  readonly minimumTrackRecord: Figure;
  readonly bestDay: DatedFigure;
  readonly worstDay: DatedFigure;
}

const SHORTEST_YEARLY = 90;
const DAYS_OF_A_YEAR = 365.25;

/** The yearly growth of a series, and why there is none. */
export function yearlyGrowth({ base, baseDay, days, values }: DailySeries): number | FigureGap {
  const [end, lastDay] = [values.at(-1), days.at(-1)];
  if (end === undefined || lastDay === undefined) return 'no_days';
  if (lastDay - baseDay < SHORTEST_YEARLY) return 'short_span';
  return base > 0
    ? (cagr(end / base, (lastDay - baseDay) / DAYS_OF_A_YEAR) ?? 'not_positive')
    : 'not_positive';
}

/** The largest of the values in that order, with its date; the first of equal ones. */
export function best(
  span: FigureSpan,
  values: readonly number[],
  dateAt: (index: number) => string,
  sign: 1 | -1,
  gap: FigureGap = 'no_days',
): DatedFigure {
  let found: number | undefined;
  for (const [index, value] of values.entries())
    if (found === undefined || value * sign > (values[found] ?? value) * sign) found = index;
  const value = found === undefined ? undefined : values[found];
  return {
    ...figureOf(span, values.length, value ?? gap),
    date: found === undefined ? null : dateAt(found),
  };
}

/** The figures of a daily series. Ratios need `minN` returns. */
export function returnFigures(
  series: DailySeries,
  { daysPerYear, riskFree, minN }: ReturnScale,
  span: FigureSpan,
): ReturnFigures {
  const { base, dates, values, returns } = series;
  const n = values.length;
  const end = values.at(-1);
  const gap: FigureGap = returns ? 'no_days' : 'not_positive';
  const excess = (returns ?? []).map((one) => one - riskFree / daysPerYear);
  const given = (result: number | FigureGap) => figureOf(span, n, result);
  const ratio = (result: number | FigureGap) =>
    given(!returns ? 'not_positive' : n < minN ? 'few_returns' : result);
  const estimate = sharpeEstimate(excess);
  const perDeviation = sharpe(excess, daysPerYear);
  // Where all returns are equal there is no ratio, also not of what all of them miss of the risk-free one (contract 9).
  const perFall = perDeviation === null ? null : sortino(excess, daysPerYear);
  const dateAt = (index: number) => dates[index] ?? '';
  return {
    totalReturn: given(end === undefined ? 'no_days' : base > 0 ? end / base - 1 : 'not_positive'),
    cagr: given(yearlyGrowth(series)),
    volatility: given(
      returns ? (volatility(returns, daysPerYear) ?? 'few_returns') : 'not_positive',
    ),
    sharpe: ratio(perDeviation ?? 'zero_deviation'),
    sortino: ratio(perFall ?? 'zero_deviation'),
    probabilisticSharpe: ratio((estimate && probabilisticSharpe(estimate)) ?? 'zero_deviation'),
    minimumTrackRecord: ratio(
      estimate ? (minimumTrackRecord(estimate) ?? 'no_positive_sharpe') : 'zero_deviation',
    ),
    bestDay: best(span, returns ?? [], dateAt, 1, gap),
    worstDay: best(span, returns ?? [], dateAt, -1, gap),
  };
}
