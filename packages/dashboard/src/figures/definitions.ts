import type { Statistics } from '../service/records.js';
import { change, count, fall, percent, ratio } from './format.js';

type Form = (text: string | null | undefined) => string;
type Name = {
  [Field in keyof Statistics]: Statistics[Field] extends { readonly n: number } ? Field : never;
}[keyof Statistics];

/** A statistic: how it is called, written and defined (contract 9). */
export interface Definition {
  readonly name: Name;
  readonly label: string;
  readonly form: Form;
  readonly what: string;
}

// prettier-ignore
export const DEFINITIONS: readonly Definition[] = [
  { name: 'total_return', label: 'Total return', form: change, what: 'Last value / first value − 1.' },
  { name: 'cagr', label: 'Yearly growth', form: change, what: '(Last / first value)^(365.25 / calendar days) − 1. None under 90 days.' },
  { name: 'volatility', label: 'Volatility', form: percent, what: 'Sample deviation of daily returns × √days a year.' },
  { name: 'sharpe', label: 'Sharpe', form: ratio, what: 'Mean / sample deviation of daily returns × √days a year. None under 30 returns.' },
  { name: 'sortino', label: 'Sortino', form: ratio, what: 'As Sharpe, with the deviation of losing days alone, over all days.' },
  { name: 'calmar', label: 'Calmar', form: ratio, what: 'Yearly growth / maximum drawdown of the same span.' },
  { name: 'max_drawdown', label: 'Maximum drawdown', form: fall, what: 'The deepest fall from a peak, of all samples and not of daily closes only.' },
  { name: 'underwater_days', label: 'Longest below a peak', form: (text) => days(text), what: 'Calendar days from a peak until the value was back.' },
  { name: 'underwater_days_now', label: 'Below the last peak', form: (text) => days(text), what: 'Calendar days since the last peak; zero at a peak.' },
  { name: 'best_day', label: 'Best day', form: change, what: 'The largest daily return.' },
  { name: 'worst_day', label: 'Worst day', form: change, what: 'The smallest daily return.' },
  { name: 'positive_months', label: 'Months with a gain', form: count, what: 'The number of months with a return above zero.' },
  { name: 'exposure', label: 'Time with a position', form: percent, what: 'Part of the time.' },
  { name: 'turnover', label: 'Turnover a year', form: ratio, what: 'The smaller of bought and sold / mean value, a year.' },
  { name: 'costs', label: 'Costs', form: percent, what: 'Fees and slippage / mean value, over the span.' },
  { name: 'probabilistic_sharpe', label: 'Sharpe above 0', form: percent, what: 'The probability that the true Sharpe ratio is above zero (Bailey and López de Prado).' },
];

/** A number of days in words. */
const days = (text: string | null | undefined): string =>
  text === null || text === undefined ? '–' : `${count(text)} days`;
