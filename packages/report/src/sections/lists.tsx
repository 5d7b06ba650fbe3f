import type { JSX } from 'preact';
import type { RefusedRequest, ReportSegment, ReportTrade } from '../content.js';
import { percent, shortTime, signedPercent, toneOf } from '../format.js';
import { type Column, Table } from './table.js';

/** The page shows so many of the last rows; the files beside it have all. */
const SHOWN = 500;

interface NewestProps<Row> {
  readonly title: string;
  readonly columns: readonly Column<Row>[];
  /** Oldest first. */
  readonly rows: readonly Row[];
  readonly none: string;
  /** The file that has all of them. */
  readonly file: string;
}

/** The last rows of a long list, the newest first. */
const Newest = <Row,>({ title, columns, rows, none, file }: NewestProps<Row>): JSX.Element => (
  <section>
    <h2>{title}</h2>
    {rows.length > SHOWN && (
      <p class="quiet">
        The last {SHOWN} of {rows.length}; all of them are in {file}.
      </p>
    )}
    {rows.length === 0 ? (
      <p>{none}</p>
    ) : (
      <Table columns={columns} rows={rows.slice(-SHOWN).toReversed()} />
    )}
  </section>
);

const TRADE_COLUMNS: readonly Column<ReportTrade>[] = [
  { title: 'Time (UTC)', kind: 'date', cell: ({ at }) => shortTime(at) },
  {
    title: 'Trade',
    cell: ({ action, stock }) => (
      <>
        <span class={action === 'buy' ? 'gain' : 'loss'}>{action}</span> {stock}
      </>
    ),
  },
  { title: 'Amount', kind: 'number', cell: ({ amount }) => amount },
  { title: 'Price', kind: 'number', cell: ({ price }) => price },
  { title: 'Fee', kind: 'number', cell: ({ fee }) => fee },
  { title: 'Value after it', kind: 'number', cell: ({ strategyValue }) => strategyValue ?? '–' },
];

/** The fills. */
export const Trades = ({ trades }: { readonly trades: readonly ReportTrade[] }): JSX.Element => (
  <Newest
    title="Trades"
    columns={TRADE_COLUMNS}
    rows={trades}
    none="There is none."
    file="trades.csv"
  />
);

const REFUSED_COLUMNS: readonly Column<RefusedRequest>[] = [
  { title: 'Time (UTC)', kind: 'date', cell: ({ at }) => shortTime(at) },
  { title: 'Request', cell: ({ request }) => request },
  { title: 'Reason', cell: ({ reason }) => reason },
];

interface RefusedProps {
  readonly refused: readonly RefusedRequest[];
}

/** The requests that were refused, with their reasons. */
export const Refused = ({ refused }: RefusedProps): JSX.Element => (
  <Newest
    title="Refused"
    columns={REFUSED_COLUMNS}
    rows={refused}
    none="Nothing was refused."
    file="refused.csv"
  />
);

const SEGMENT_COLUMNS: readonly Column<ReportSegment>[] = [
  { title: 'From (UTC)', kind: 'date', cell: ({ from }) => shortTime(from) },
  { title: 'To', kind: 'date', cell: ({ to }) => (to === null ? 'now' : shortTime(to)) },
  { title: 'Basis', cell: ({ basis }) => basis },
  { title: 'Began because', cell: ({ reason }) => reason },
  {
    title: 'Return',
    kind: 'number',
    cell: ({ return: growth }) => (growth === null ? '–' : signedPercent(growth)),
    tone: ({ return: growth }) => toneOf(growth),
  },
  {
    title: 'Maximum drawdown',
    kind: 'number',
    cell: ({ maxDrawdown }) => (maxDrawdown === null ? '–' : percent(maxDrawdown)),
  },
];

interface SegmentsProps {
  readonly segments: readonly ReportSegment[];
}

/** The parts of the record; figures never reach across a segment's start. */
export const Segments = ({ segments }: SegmentsProps): JSX.Element => (
  <section>
    <h2>Segments of the record</h2>
    <Table columns={SEGMENT_COLUMNS} rows={segments} />
    <p class="quiet">The figures above are of the last segment. None reaches across a start.</p>
  </section>
);
