import { type Figure, type FigureSpan, figureOf } from '../figure.js';
import { deflatedSharpe, sharpeEstimate } from './sharpe-significance.js';
import type { SeriesPoint } from '../strategy-statistics.js';

/** The best of several trials looks better than it is: its Sharpe ratio, deflated by their number and their deviation. */
export interface DeflatedSharpe extends Figure {
  /** All trials of the search, with this one. */
  readonly trials: number;
}

const returnsOf = (series: readonly SeriesPoint[]): number[] =>
  series.flatMap(({ return: text }) => (text === null ? [] : Number(text)));

/** The Sharpe ratio of the daily returns, of one day and never annualized; 0 where they do not vary. */
export const dailySharpe = (series: readonly SeriesPoint[]): number =>
  sharpeEstimate(returnsOf(series))?.sharpe ?? 0;

/**
 * The probability that the true Sharpe ratio is above the best one that so many trials without skill would show (Bailey and Lopez de
 * Prado, 2014). `trials` are the daily Sharpe ratios of all trials, this one too; without two of them nothing is deflated.
 */
export function deflatedSharpeOf(
  series: readonly SeriesPoint[],
  trials: readonly number[],
  { minN, ...span }: FigureSpan & { readonly minN: number },
): DeflatedSharpe {
  const returns = returnsOf(series);
  const estimate = sharpeEstimate(returns);
  const figure = (result: Parameters<typeof figureOf>[2]): DeflatedSharpe => ({
    ...figureOf(span, returns.length, result),
    trials: trials.length,
  });
  if (trials.length < 2) return figure('few_trials');
  if (returns.length < minN) return figure('few_returns');
  return figure((estimate && deflatedSharpe(estimate, trials)) ?? 'zero_deviation');
}
