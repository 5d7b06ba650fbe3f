import type { DatedFigure, DeflatedSharpe, Figure, StatisticsView } from '@slipstream/domain';
import { FIGURE_GAPS } from '@slipstream/domain';
import type { JSX } from 'preact';
import {
  DEFLATED_SHARPE,
  type Definition,
  type FigureName,
  GROUPS,
  RATIOS,
} from '../definitions.js';
import { toneOf, written } from '../format.js';

interface RowProps {
  readonly defined: Definition<string>;
  readonly figure: Figure | DatedFigure;
}

/** A figure with its value, the day or month it is of, the number that it is made of, and its definition. */
const FigureRow = ({ defined, figure }: RowProps): JSX.Element => {
  const { value, n, gap } = figure;
  const tone = defined.form === 'signed' ? toneOf(value) : undefined;
  return (
    <tr>
      <th scope="row">{defined.label}</th>
      <td class={`number ${tone ?? ''}`}>{written(value, defined.form)}</td>
      <td class="date">{'date' in figure ? figure.date : ''}</td>
      <td class="number quiet">{n}</td>
      <td class="quiet">{gap ? `None: ${FIGURE_GAPS[gap]}.` : defined.definition}</td>
    </tr>
  );
};

interface GroupProps {
  readonly title: string;
  readonly figures: readonly Definition<FigureName>[];
  readonly statistics: StatisticsView;
  readonly deflated: DeflatedSharpe | undefined;
}

const FigureGroup = ({ title, figures, statistics, deflated }: GroupProps): JSX.Element => (
  <tbody>
    <tr class="group">
      <th scope="rowgroup" colSpan={5}>
        {title}
      </th>
    </tr>
    {figures.map((defined) => (
      <FigureRow defined={defined} figure={statistics[defined.name]} />
    ))}
    {deflated && title === RATIOS && (
      <FigureRow defined={DEFLATED_SHARPE(deflated.trials)} figure={deflated} />
    )}
  </tbody>
);

interface FiguresProps {
  readonly statistics: StatisticsView;
  readonly hasBenchmark: boolean;
  readonly deflated?: DeflatedSharpe | undefined;
}

/** All figures, each with its definition. */
export const Figures = ({ statistics, hasBenchmark, deflated }: FiguresProps): JSX.Element => (
  <section>
    <h2>Figures</h2>
    <div class="wide">
      <table>
        <thead>
          <tr>
            <th scope="col">Figure</th>
            <th scope="col" class="number">
              Value
            </th>
            <th scope="col">Date</th>
            <th scope="col" class="number">
              n
            </th>
            <th scope="col">Definition</th>
          </tr>
        </thead>
        {GROUPS.filter(({ title }) => hasBenchmark || title !== 'Against the benchmark').map(
          ({ title, figures }) => (
            <FigureGroup {...{ title, figures, statistics, deflated }} />
          ),
        )}
      </table>
    </div>
    <p class="quiet">
      {statistics.daysPerYear} days a year, risk-free return{' '}
      {written(statistics.riskFree.toFixed(), 'percent')} a year. n is the number of returns, days
      or months that a figure is made of.
    </p>
  </section>
);
