import type { StatisticsView, StockRoundTrips } from '@slipstream/domain';
import type { JSX } from 'preact';
import { TRIP_FIGURES } from '../definitions.js';
import { toneOf, written } from '../format.js';
import { type Column, Table } from './table.js';

type Trips = StatisticsView['roundTrips'];
type TripFigure = (typeof TRIP_FIGURES)[number];

/** The columns of a table of figures: all round trips, long and short apart. */
const SIDES: readonly (readonly [title: string, side: 'all' | 'long' | 'short'])[] = [
  ['All', 'all'],
  ['Long', 'long'],
  ['Short', 'short'],
];

const columnsOf = (trips: Trips): readonly Column<TripFigure>[] => [
  { title: 'Figure', kind: 'name', cell: ({ label }) => label },
  ...SIDES.map(([title, side]): Column<TripFigure> => ({
    title,
    kind: 'number',
    cell: ({ name, form }) => written(trips[side][name].value, form),
    tone: ({ name, form }) => (form === 'signed' ? toneOf(trips[side][name].value) : undefined),
  })),
  { title: 'Definition', kind: 'note', cell: ({ definition }) => definition },
];

const OF_STOCKS = ['count', 'winRate', 'profitFactor', 'expectancy', 'averageDays'];

const STOCK_COLUMNS: readonly Column<StockRoundTrips>[] = [
  { title: 'Stock', kind: 'name', cell: ({ symbol, stockId }) => symbol ?? stockId },
  ...TRIP_FIGURES.filter(({ name }) => OF_STOCKS.includes(name)).map(
    ({ name, label, form }): Column<StockRoundTrips> => ({
      title: label,
      kind: 'number',
      cell: (trips) => written(trips[name].value, form),
      tone: (trips) => (form === 'signed' ? toneOf(trips[name].value) : undefined),
    }),
  ),
];

/** All round trips, long and short apart, and by stock. */
export const RoundTrips = ({ trips }: { readonly trips: Trips }): JSX.Element => (
  <section>
    <h2>Round trips</h2>
    <Table columns={columnsOf(trips)} rows={TRIP_FIGURES} />
    {trips.byStock !== null && trips.byStock.length > 0 && (
      <Table columns={STOCK_COLUMNS} rows={trips.byStock} caption="By stock" />
    )}
  </section>
);
