import type {
  AccountFigures,
  DatedFigure,
  Figure,
  RoundTripFigures,
  StatisticsView,
  TrackingFigures,
} from '@slipstream/domain';
import type { Form } from './format.js';

type NamesOf<View, Value> = {
  [Name in keyof View]-?: View[Name] extends Value ? Name : never;
}[keyof View];

/** The names of the figures of statistics. */
export type FigureName = Exclude<NamesOf<StatisticsView, Figure | DatedFigure>, symbol>;

/** How a figure is called, written and defined (contract 9). */
export interface Definition<Name extends string> {
  readonly name: Name;
  readonly label: string;
  readonly form: Form;
  readonly definition: string;
}

/** The figures of an account, and of a strategy too. */
export type AccountFigureName = Exclude<NamesOf<AccountFigures, Figure | DatedFigure>, symbol>;

/** The title of the ratios. */
export const RATIOS = 'Return for risk';

/** The figure of the best of several trials. */
export const DEFLATED_SHARPE = (trials: number): Definition<'deflatedSharpe'> => ({
  name: 'deflatedSharpe',
  label: 'Deflated Sharpe ratio',
  form: 'percent',
  definition: `The probability that Sharpe is above the best one of ${trials} trials without skill. Bailey and López de Prado (2014), with the deviation of the trials (population).`,
});

/** The figures by subject, in the order of the report. */
// oxfmt-ignore
export const GROUPS: readonly { readonly title: string; readonly figures: readonly Definition<FigureName>[] }[] = [
  {
    title: 'Return',
    figures: [
      { name: 'totalReturn', label: 'Total return', form: 'signed', definition: 'Last value / first value − 1.' },
      { name: 'cagr', label: 'Yearly growth (CAGR)', form: 'signed', definition: '(Last value / first value)^(365.25 / calendar days) − 1. None under 90 days.' },
      { name: 'bestDay', label: 'Best day', form: 'signed', definition: 'The largest daily return.' },
      { name: 'worstDay', label: 'Worst day', form: 'signed', definition: 'The smallest daily return.' },
      { name: 'bestMonth', label: 'Best month', form: 'signed', definition: 'The largest compounded return of a calendar month.' },
      { name: 'worstMonth', label: 'Worst month', form: 'signed', definition: 'The smallest compounded return of a calendar month.' },
      { name: 'positiveMonths', label: 'Months with a gain', form: 'count', definition: 'The number of months with a return above zero; n is the number of all months.' },
    ],
  },
  {
    title: 'Risk',
    figures: [
      { name: 'maxDrawdown', label: 'Maximum drawdown', form: 'percent', definition: 'The deepest fall from a peak, of all samples and not of daily closes only.' },
      { name: 'volatility', label: 'Volatility, a year', form: 'percent', definition: 'Sample deviation of daily returns × √days a year.' },
      { name: 'underwaterDays', label: 'Longest time below a peak, days', form: 'days', definition: 'Calendar days from a peak until the value was back.' },
      { name: 'underwaterDaysNow', label: 'Days below the last peak', form: 'days', definition: 'Calendar days since the last peak; zero at a peak.' },
    ],
  },
  {
    title: RATIOS,
    figures: [
      { name: 'sharpe', label: 'Sharpe ratio', form: 'ratio', definition: 'Mean / sample deviation of daily returns above the risk-free return × √days a year.' },
      { name: 'sortino', label: 'Sortino ratio', form: 'ratio', definition: 'Mean daily return above the risk-free return × days a year / downside deviation over all days, a year.' },
      { name: 'calmar', label: 'Calmar ratio', form: 'ratio', definition: 'CAGR / maximum drawdown of the same span.' },
      { name: 'probabilisticSharpe', label: 'Probability that Sharpe is above 0', form: 'percent', definition: 'Bailey and López de Prado (2012), with skewness and kurtosis of the daily returns.' },
      { name: 'minimumTrackRecord', label: 'Days for a probability of 95 %', form: 'days', definition: 'The number of daily returns after which that probability would be 0.95.' },
    ],
  },
  {
    title: 'Exposure and costs',
    figures: [
      { name: 'exposure', label: 'Time with a position', form: 'percent', definition: 'Part of the time.' },
      { name: 'meanGross', label: 'Mean gross exposure', form: 'times', definition: 'Gross exposure / value at the daily close, on average.' },
      { name: 'largestGross', label: 'Largest gross exposure', form: 'times', definition: 'The largest of these.' },
      { name: 'turnover', label: 'Turnover, a year', form: 'times', definition: 'The smaller of bought and sold / mean value, a year.' },
      { name: 'costs', label: 'Costs', form: 'percent', definition: 'Fees and slippage / mean value, over the span.' },
      { name: 'fees', label: 'of which fees', form: 'percent', definition: 'Fees and rounding / mean value.' },
      { name: 'slippage', label: 'of which slippage', form: 'percent', definition: 'Prices worse than the quote / mean value.' },
    ],
  },
  {
    title: 'Against the benchmark',
    figures: [
      { name: 'beta', label: 'Beta', form: 'ratio', definition: 'Covariance with the benchmark / variance of the benchmark.' },
      { name: 'alpha', label: 'Alpha, a year', form: 'signed', definition: 'Mean of (return − beta × return of the benchmark) above the risk-free return × days a year.' },
      { name: 'correlation', label: 'Correlation', form: 'ratio', definition: 'Of the daily returns of both.' },
      { name: 'tracking', label: 'Tracking difference, a year', form: 'percent', definition: 'Sample deviation of the difference of daily returns × √days a year.' },
    ],
  },
];

/** The figures of round trips, in the order of the report. */
// oxfmt-ignore
export const TRIP_FIGURES: readonly Definition<keyof RoundTripFigures>[] = [
  { name: 'count', label: 'Round trips', form: 'count', definition: 'From flat to flat in one stock. Partial exits belong to it; open ones do not count.' },
  { name: 'winRate', label: 'Won', form: 'percent', definition: 'Wins / (wins + losses).' },
  { name: 'profitFactor', label: 'Profit factor', form: 'ratio', definition: 'Sum of the wins / sum of the losses.' },
  { name: 'expectancy', label: 'Mean result', form: 'signed', definition: 'Net of fees, with dividends, as a part of the value before the opening fill.' },
  { name: 'averageWin', label: 'Average win', form: 'signed', definition: 'The mean result of the wins.' },
  { name: 'averageLoss', label: 'Average loss', form: 'signed', definition: 'The mean result of the losses.' },
  { name: 'payoff', label: 'Payoff', form: 'ratio', definition: 'Average win / average loss.' },
  { name: 'largestWin', label: 'Largest win', form: 'signed', definition: 'The best result.' },
  { name: 'largestLoss', label: 'Largest loss', form: 'signed', definition: 'The worst result.' },
  { name: 'maxConsecutiveWins', label: 'Wins in a row', form: 'count', definition: 'The longest row.' },
  { name: 'maxConsecutiveLosses', label: 'Losses in a row', form: 'count', definition: 'The longest row.' },
  { name: 'averageDays', label: 'Average days', form: 'days', definition: 'From the opening fill to the closing one.' },
];

/** The causes of a tracking difference, in the order of the report. */
// oxfmt-ignore
export const TRACKING: readonly Definition<keyof TrackingFigures>[] = [
  { name: 'slippage', label: 'Slippage', form: 'signed', definition: 'Fills against the quotes that the orders were planned with.' },
  { name: 'fees', label: 'Fees', form: 'signed', definition: 'What the broker charged for the fills.' },
  { name: 'delay', label: 'Delay', form: 'signed', definition: 'The quotes that the orders were planned with against the fills of the strategies.' },
  { name: 'notHeld', label: 'Not held', form: 'signed', definition: 'What could not be held or traded.' },
  { name: 'leverageAndCaps', label: 'Leverage and caps', form: 'signed', definition: 'What caps on leverage, and limits of the bot or of the broker, left out.' },
  { name: 'other', label: 'Other', form: 'signed', definition: 'The remainder: the causes sum to the difference.' },
  { name: 'total', label: 'Difference', form: 'signed', definition: 'Return of the account − return of the target.' },
];
