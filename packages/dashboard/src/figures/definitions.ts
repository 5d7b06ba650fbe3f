import type { Statistics } from '../service/records.js';
import type { Meaning } from './meanings.js';
import { change, count, fall, percent, ratio } from './format.js';

type Form = (text: string | null | undefined) => string;
type Name = {
  [Field in keyof Statistics & Meaning]: Statistics[Field] extends { readonly n: number }
    ? Field
    : never;
}[keyof Statistics & Meaning];

/** A statistic: how it is called and written. */
export interface Definition {
  readonly name: Name;
  readonly label: string;
  readonly form: Form;
}

// oxfmt-ignore
export const DEFINITIONS: readonly Definition[] = [
  { name: 'total_return', label: 'Total return', form: change },
  { name: 'cagr', label: 'Yearly growth', form: change },
  { name: 'volatility', label: 'Volatility', form: percent },
  { name: 'sharpe', label: 'Sharpe', form: ratio },
  { name: 'sortino', label: 'Sortino', form: ratio },
  { name: 'calmar', label: 'Calmar', form: ratio },
  { name: 'max_drawdown', label: 'Maximum drawdown', form: fall },
  { name: 'underwater_days', label: 'Longest below a peak', form: (text) => days(text) },
  { name: 'underwater_days_now', label: 'Below the last peak', form: (text) => days(text) },
  { name: 'best_day', label: 'Best day', form: change },
  { name: 'worst_day', label: 'Worst day', form: change },
  { name: 'positive_months', label: 'Months with a gain', form: count },
  { name: 'exposure', label: 'Time with a position', form: percent },
  { name: 'turnover', label: 'Turnover a year', form: ratio },
  { name: 'costs', label: 'Costs', form: percent },
  { name: 'probabilistic_sharpe', label: 'Sharpe above 0', form: percent },
];

/** A number of days in words. */
const days = (text: string | null | undefined): string =>
  text === null || text === undefined ? '–' : `${count(text)} ${text === '1' ? 'day' : 'days'}`;
