import type {
  RefusedRequest,
  ReportContent,
  ReportSegment,
  ReportTrade,
  SegmentReason,
} from '@slipstream/domain';
import type { JSX } from 'preact';
import { percent, shortTime, signedPercent, toneOf } from '../format.js';
import { type Column, Table } from './table.js';

/** The page shows so many of the last rows; others are beside it. */
const SHOWN = 200;

interface NewestProps<Row> {
  readonly title: string;
  readonly columns: readonly Column<Row>[];
  /** Oldest first; all of them, or the last ones and one more than are shown. */
  readonly rows: readonly Row[];
  readonly none: string;
  /** Where all of them are. */
  readonly all: string;
}

/** The last rows of a long list, the newest first. */
export const Newest = <Row,>({
  title,
  columns,
  rows,
  none,
  all,
}: NewestProps<Row>): JSX.Element => (
  <section>
    <h2>{title}</h2>
    {rows.length > SHOWN && (
      <p class="quiet">
        The last {SHOWN}; all of them are in {all}.
      </p>
    )}
    {rows.length === 0 ? (
      <p>{none}</p>
    ) : (
      <Table columns={columns} rows={rows.slice(-SHOWN).toReversed()} isExact />
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

interface TradesProps {
  readonly trades: readonly ReportTrade[];
  readonly beside: ReportContent['beside'];
}

/** The fills. */
export const Trades = ({ trades, beside }: TradesProps): JSX.Element => (
  <Newest
    title="Trades"
    columns={TRADE_COLUMNS}
    rows={trades}
    none="There is none."
    all={beside === 'files' ? 'trades.csv' : 'the answers of getTrades'}
  />
);

const REFUSED_COLUMNS: readonly Column<RefusedRequest>[] = [
  { title: 'Time (UTC)', kind: 'date', cell: ({ at }) => shortTime(at) },
  { title: 'Request', cell: ({ request }) => request },
  { title: 'Reason', cell: ({ reason }) => reason },
];

interface RefusedProps {
  readonly refused: readonly RefusedRequest[];
  readonly beside: ReportContent['beside'];
}

/** The requests that were refused, with their reasons. */
export const Refused = ({ refused, beside }: RefusedProps): JSX.Element => (
  <Newest
    title="Refused"
    columns={REFUSED_COLUMNS}
    rows={refused}
    none="Nothing was refused."
    all={beside === 'files' ? 'refused.csv' : 'the answers of getOrders'}
  />
);

const REASONS: Readonly<Record<SegmentReason, string>> = {
  created: 'the strategy was created',
  market: 'the prices became of another kind',
  gap: 'the service did not run for more than seven days while positions were open',
};

const SEGMENT_COLUMNS: readonly Column<ReportSegment>[] = [
  { title: 'From (UTC)', kind: 'date', cell: ({ from }) => shortTime(from) },
  { title: 'To', kind: 'date', cell: ({ to }) => (to === null ? 'now' : shortTime(to)) },
  { title: 'Basis', cell: ({ basis }) => basis },
  { title: 'Began because', cell: ({ reason }) => REASONS[reason] },
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
