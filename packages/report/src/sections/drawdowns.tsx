import type { Drawdown } from '@slipstream/domain';
import type { JSX } from 'preact';
import { percent } from '../format.js';
import { type Column, Table } from './table.js';

const COLUMNS: readonly Column<Drawdown>[] = [
  { title: 'Depth', kind: 'number', cell: ({ depth }) => percent(depth), tone: () => 'loss' },
  { title: 'Peak', kind: 'date', cell: ({ start }) => start },
  { title: 'Valley', kind: 'date', cell: ({ valley }) => valley },
  { title: 'Back at the peak', kind: 'date', cell: ({ end }) => end ?? 'not yet' },
  { title: 'Days', kind: 'number', cell: ({ days }) => days },
];

interface DrawdownsProps {
  readonly drawdowns: readonly Drawdown[] | null;
}

/** The five deepest falls. */
export const Drawdowns = ({ drawdowns }: DrawdownsProps): JSX.Element => (
  <section>
    <h2>Deepest falls</h2>
    {drawdowns === null && <p>The record of this span does not keep all samples.</p>}
    {drawdowns?.length === 0 && <p>The value never fell below a peak.</p>}
    {drawdowns !== null && drawdowns.length > 0 && <Table columns={COLUMNS} rows={drawdowns} />}
  </section>
);
