import { change, moment, price, quantity, roughPrice, tone } from '../../figures/format.js';
import { type Bot, type BotOrder, type LiveBot, withBotOrders } from '../../service/folds.js';
import { useReadSince } from '../../service/read.js';
import { Download } from '../common/download.js';
import { More } from '../common/more.js';
import { Panel } from '../common/panel.js';
import { Shown } from '../common/shown.js';
import { type Column, Table } from '../common/table.js';

const COLUMNS: readonly Column<BotOrder>[] = [
  {
    name: 'Time',
    what: 'time',
    class: 'small',
    isWide: true,
    cell: (order) => moment(order.created_at),
  },
  {
    name: 'Order',
    what: 'bot_order',
    cell: (order) => (
      <>
        <span class={order.action === 'buy' ? 'up' : 'down'}>{order.action}</span>{' '}
        <span class="amount">{quantity(order.amount)}</span> <b>{order.symbol}</b>
        <div class="small quiet">{order.intent}</div>
      </>
    ),
  },
  {
    name: 'Price',
    what: 'bot_price',
    isNumber: true,
    cell: (order) => price(order.filled_price ?? order.limit_price),
  },
  {
    name: 'Strategy',
    what: 'strategy_price',
    isNumber: true,
    isWide: true,
    cell: (order) => roughPrice(order.strategy_price),
  },
  {
    name: 'Slippage',
    what: 'slippage',
    isNumber: true,
    cell: (order) => <Cost of={order.slippage} />,
  },
  {
    name: 'State',
    what: 'status',
    cell: (order) => (
      <>
        {order.status}
        {order.reason !== null && <div class="small quiet">{order.reason}</div>}
      </>
    ),
  },
];

/** A cost as a fraction: positive, in the colour of a loss, when the account traded worse. */
function Cost({ of }: { readonly of: string | null }) {
  const gain = of?.startsWith('-') ? of.slice(1) : of && `-${of}`;
  return <span class={tone(gain)}>{change(of)}</span>;
}

/** How many orders are shown. */
const SHOWN = 25;

/** The latest orders at the broker, with what became of them. */
export function BotOrdersPanel(props: { readonly bot: Bot; readonly live: LiveBot | undefined }) {
  const { bot, live } = props;
  const id = bot.bot_id;
  const orders = useReadSince(live?.since, `bot orders ${id}`, (client) =>
    client.getBotOrders({ bot_id: id, limit: SHOWN }),
  );
  return (
    <Panel
      title="Orders at the broker"
      aside={
        <Download
          label="All as CSV"
          name={`bot-orders-${id}.csv`}
          id="bot_order_id"
          ask={(client, page) => client.getBotOrders({ bot_id: id, format: 'csv', ...page })}
        />
      }
    >
      <Shown of={orders} what="the orders">
        {(read) => {
          const all = withBotOrders(read, live?.orders ?? []);
          return (
            <>
              <Table
                label="Orders at the broker"
                columns={COLUMNS}
                rows={all.slice(0, SHOWN)}
                keyOf={({ bot_order_id }) => bot_order_id}
                record={null}
                empty="No orders yet."
              />
              <More is={all.length >= SHOWN} said={`The latest ${SHOWN}. The file has all.`} />
            </>
          );
        }}
      </Shown>
    </Panel>
  );
}
