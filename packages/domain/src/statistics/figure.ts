import { decimal } from '../numbers/decimal.js';

/** Why a figure cannot be given honestly (contract 9), for people. */
export const FIGURE_GAPS = {
  no_days: 'there is no day with a value',
  few_returns: 'there are too few returns',
  few_trials: 'it is the only trial of its search, so nothing is deflated',
  short_span: 'the span has fewer than 90 days',
  zero_deviation: 'the returns do not vary',
  no_drawdown: 'the value never fell',
  old_days: 'days were recorded before the record kept their highs, lows and exposure',
  old_fills: 'fills were recorded before the record kept their quotes',
  not_positive: 'the value was not positive',
  no_benchmark: 'there is no benchmark, or it has too few closes on the same days',
  no_round_trips: 'no round trip has ended',
  no_wins: 'no round trip was won',
  no_losses: 'no round trip was lost',
  all_even: 'no round trip was won or lost',
  no_positive_sharpe: 'the Sharpe ratio is not positive, so no length of the record is enough',
  unknown_flows:
    'what came into the account and left it is not known: only a bot with a loss limit measures it',
  no_target: 'the value of the target is not known',
  not_measured: 'it is not measured apart: it is part of other',
  out_of_range: 'the figure is too large',
} as const;
export type FigureGap = keyof typeof FIGURE_GAPS;

/** The days that a figure is of: dates in UTC, both included. */
export interface FigureSpan {
  readonly from: string;
  readonly to: string;
}

/** One statistic of a record (contract 17). */
export interface Figure extends FigureSpan {
  /** A decimal of 12 significant digits in plain notation; null where it cannot be given honestly. */
  readonly value: string | null;
  /** The number of returns, days, months or round trips that the figure is made of. */
  readonly n: number;
  /** Why there is no value; null if there is one. */
  readonly gap: FigureGap | null;
}

const DIGITS = 12;
const EXPONENT = 'e';
const TRAILING_ZEROS = /\.?0+$/;

/**
 * The number with 12 significant digits in plain notation, without trailing zeros.
 * @throws when it is not finite.
 */
export function figureText(value: number): string {
  const text = value.toPrecision(DIGITS);
  // Numbers of an ordinary size need no decimal, which takes longer than all else.
  return text.includes(EXPONENT) || !text.includes('.')
    ? decimal(text).toFixed()
    : text.replace(TRAILING_ZEROS, '');
}

/** The figure of a result, which is a number or the reason for none. */
export function figureOf(span: FigureSpan, n: number, result: number | FigureGap): Figure {
  const { from, to } = span;
  if (typeof result === 'string') return { value: null, n, from, to, gap: result };
  return Number.isFinite(result)
    ? { value: figureText(result), n, from, to, gap: null }
    : { value: null, n, from, to, gap: 'out_of_range' };
}
