import type { ReportContent } from '@slipstream/domain';
import type { ComponentChildren, JSX } from 'preact';
import { type Form, rounded, toneOf, written } from '../format.js';
import type { FigureName } from '../definitions.js';

/** A figure that people ask for first. */
export interface Tile {
  readonly label: string;
  readonly form: Form;
  readonly value: string | null;
}

interface TopProps {
  readonly name: string;
  /** The class and the words of what the figures are of. */
  readonly basis: string;
  readonly basisText: string;
  readonly span: string;
  readonly value: string;
  readonly growth: string | null;
  readonly disclosure: string;
  readonly tiles: readonly Tile[];
  readonly children?: ComponentChildren;
}

/** The head of every report. */
export const Top = (props: TopProps): JSX.Element => (
  <header>
    <div class="title">
      <div>
        <h1>
          <bdi>{props.name}</bdi>
        </h1>
        <p class="quiet">
          <span class={`basis ${props.basis}`}>{props.basisText}</span> {props.span}
        </p>
      </div>
      <p class="value">
        <strong>{props.value}</strong>
        <span class={toneOf(props.growth)}>{written(props.growth, 'signed')}</span>
      </p>
    </div>
    {props.children}
    <p class="disclosure">{props.disclosure}</p>
    <dl class="tiles">
      {props.tiles.map(({ label, form, value }) => (
        <div>
          <dt>{label}</dt>
          <dd class={form === 'signed' ? toneOf(value) : undefined}>{written(value, form)}</dd>
        </div>
      ))}
    </dl>
  </header>
);

/** The days that the figures are of. */
export const spanText = ({ from, to }: { readonly from: string | null; readonly to: string }) =>
  from === null ? 'No day is over yet' : `${from} to ${to}`;

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
  const { totalReturn, basis, disclosure } = statistics;
  const last = series.at(-1)?.value;
  return (
    <Top
      {...{ name, basis, disclosure, basisText: basis, span: spanText(statistics) }}
      value={last === undefined ? '–' : rounded(last, 4)}
      growth={totalReturn.value}
      tiles={TILES.map(({ name: figure, ...tile }) => ({
        ...tile,
        value: statistics[figure].value,
      }))}
    />
  );
};
