import { type Drawdown, FIGURE_GAPS, type FallFigures } from '@slipstream/domain';
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
  readonly statistics: Pick<FallFigures, 'drawdowns' | 'maxDrawdown'>;
}

/** The five deepest falls. */
export const Drawdowns = ({
  statistics: { drawdowns, maxDrawdown },
}: DrawdownsProps): JSX.Element => (
  <section>
    <h2>Deepest falls</h2>
    {drawdowns === null && <p>None: {FIGURE_GAPS[maxDrawdown.gap ?? 'old_days']}.</p>}
    {drawdowns?.length === 0 && <p>The value never fell below a peak.</p>}
    {drawdowns !== null && drawdowns.length > 0 && <Table columns={COLUMNS} rows={drawdowns} />}
  </section>
);
