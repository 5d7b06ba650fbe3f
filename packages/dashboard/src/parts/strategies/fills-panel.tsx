import { useState } from 'preact/hooks';
import { exactMoment, price, quantity } from '../../figures/format.js';
import { useChannel } from '../../service/live.js';
import { useReadSince } from '../../service/read.js';
import type { Strategy, Trade } from '../../service/records.js';
import { Basis } from '../common/basis.js';
import { Download } from '../common/download.js';
import { More } from '../common/more.js';
import { Panel } from '../common/panel.js';
import { Shown } from '../common/shown.js';
import { Change } from '../common/signed.js';
import { type Column, Table } from '../common/table.js';

/** How many fills are shown at most; the file has all. */
const MOST = 100;

const MARKETS: Readonly<Record<string, string>> = {
  demo: 'simulated',
  replay: 'replayed',
  push: 'supplied',
  live: 'hypothetical',
};

/** The basis of one fill, by the market of its quote. */
const Market = (props: { readonly of: string }) => <Basis of={MARKETS[props.of] ?? 'unknown'} />;

const COLUMNS: readonly Column<Trade>[] = [
  { name: 'Time', what: 'time', class: 'small', cell: (trade) => exactMoment(trade.created_at) },
  {
    name: 'Fill',
    what: 'fill',
    cell: (trade) => (
      <>
        <span class={trade.action === 'buy' ? 'up' : 'down'}>{trade.action}</span>{' '}
        {quantity(trade.amount)} <b>{trade.symbol}</b>
      </>
    ),
  },
  { name: 'Price', what: 'fill_price', isNumber: true, cell: (trade) => price(trade.price) },
  {
    name: 'Fee',
    what: 'fee',
    isNumber: true,
    isWide: true,
    cell: (trade) => quantity(trade.fee_total),
  },
  {
    name: 'Realized',
    what: 'realized',
    isNumber: true,
    cell: (trade) => <Change of={trade.realized} />,
  },
  { name: 'Prices', what: 'basis', isWide: true, cell: (trade) => <Market of={trade.market} /> },
];

/** The latest fills, newest first. */
export function FillsPanel({ strategy }: { readonly strategy: Strategy }) {
  const id = strategy.strategy_id;
  const version = useChannel('wsPositions', id).value.data?.version;
  const [limit, setLimit] = useState(20);
  // What is there stays while a new fill is read: the page would jump.
  const fills = useReadSince(`${version} ${limit}`, `fills ${id}`, (client) =>
    client.getTrades({ strategy_id: id, limit }),
  );
  return (
    <Panel
      title="Fills"
      aside={
        <Download
          label="All as CSV"
          name={`trades-${id}.csv`}
          id="trade_id"
          ask={(client, page) => client.getTrades({ strategy_id: id, format: 'csv', ...page })}
        />
      }
    >
      <Shown of={fills} what="the fills">
        {(trades) => (
          <>
            <Table
              label="Fills"
              columns={COLUMNS}
              rows={trades}
              keyOf={({ trade_id }) => trade_id}
              record={null}
              empty="No fills yet. They come with the first order."
            />
            <More
              is={trades.length === limit}
              onMore={limit < MOST && (() => setLimit(MOST))}
              said={`The latest ${MOST}. The file has all.`}
            />
          </>
        )}
      </Shown>
    </Panel>
  );
}
