import type { ReportContent } from '@slipstream/domain';
import type { JSX } from 'preact';
import { type Form, rounded, toneOf, written } from '../format.js';
import type { FigureName } from '../definitions.js';

const TILES: readonly { readonly name: FigureName; readonly label: string; readonly form: Form }[] =
  [
    { name: 'cagr', label: 'A year', form: 'signed' },
    { name: 'maxDrawdown', label: 'Max drawdown', form: 'percent' },
    { name: 'volatility', label: 'Volatility', form: 'percent' },
    { name: 'sharpe', label: 'Sharpe', form: 'ratio' },
    { name: 'sortino', label: 'Sortino', form: 'ratio' },
    { name: 'worstMonth', label: 'Worst month', form: 'signed' },
    { name: 'costs', label: 'Costs', form: 'percent' },
  ];

/** The name, the basis, the return, and the figures that people ask for first. */
export const Heading = ({ content }: { readonly content: ReportContent }): JSX.Element => {
  const { name, statistics, series } = content;
  const { totalReturn, basis, from, to, disclosure } = statistics;
  const last = series.at(-1)?.value;
  return (
    <header>
      <div class="title">
        <div>
          <h1>
            <bdi>{name}</bdi>
          </h1>
          <p class="quiet">
            <span class={`basis ${basis}`}>{basis}</span>{' '}
            {from === null ? 'No day is over yet' : `${from} to ${to}`}
          </p>
        </div>
        <p class="value">
          <strong>{last === undefined ? '–' : rounded(last, 4)}</strong>
          <span class={toneOf(totalReturn.value)}>{written(totalReturn.value, 'signed')}</span>
        </p>
      </div>
      <p class="disclosure">{disclosure}</p>
      <dl class="tiles">
        {TILES.map(({ name: figure, label, form }) => {
          const { value } = statistics[figure];
          return (
            <div>
              <dt>{label}</dt>
              <dd class={form === 'signed' ? toneOf(value) : undefined}>{written(value, form)}</dd>
            </div>
          );
        })}
      </dl>
    </header>
  );
};
