import { moment, price, quantity, words } from '../../figures/format.js';
import { treeOf } from '../../figures/order-tree.js';
import { useAction } from '../../service/action.js';
import type { Order } from '../../service/folds.js';
import { useChannel } from '../../service/live.js';
import type { Strategy } from '../../service/records.js';
import { Download } from '../common/download.js';
import { Confirmed } from '../common/confirmed.js';
import { Failure } from '../common/form.js';
import { Panel } from '../common/panel.js';

const WAITS: Readonly<Record<string, string>> = {
  dependency: 'waits for the order above',
  market_closed: 'waits for the exchange to open',
  quote: 'waits for a quote',
  price: 'waits for its price',
};

/** The size and the prices of an order in words. */
export const sentenceOfOrder = (order: Order): string =>
  [
    order.amount === null ? `for ${quantity(order.total)} cash` : quantity(order.amount),
    ...(order.price === null ? [] : [`at ${price(order.price)}`]),
    ...(order.stop_price === null ? [] : [`stop ${price(order.stop_price)}`]),
  ].join(' ');

/** The open orders as a tree: what waits for another order is below it. The owner can cancel. */
export function OrdersPanel(props: { readonly strategy: Strategy; readonly isOwner: boolean }) {
  const id = props.strategy.strategy_id;
  const live = useChannel('wsOrders', id).value;
  const orders = live.data;
  return (
    <Panel
      title="Open orders"
      aside={
        orders &&
        orders.length > 0 && (
          <Download
            label="Open orders as CSV"
            name={`orders-${id}.csv`}
            id="order_id"
            ask={(client, page) => client.getOrders({ strategy_id: id, format: 'csv', ...page })}
          />
        )
      }
    >
      {live.ended !== undefined && <p class="quiet">{live.ended}</p>}
      {orders === undefined && live.ended === undefined && <p class="placeholder">Reading…</p>}
      {orders?.length === 0 && <p class="quiet">None. Market orders fill within a moment.</p>}
      {orders && orders.length > 0 && (
        <ul class="list" aria-label="Open orders">
          {treeOf(orders).map(({ order, depth, waiting }) => (
            <OrderLine
              key={order.order_id}
              order={order}
              depth={depth}
              waiting={waiting}
              isOwner={props.isOwner}
            />
          ))}
        </ul>
      )}
    </Panel>
  );
}

function OrderLine(props: {
  readonly order: Order;
  readonly depth: number;
  readonly waiting: number;
  readonly isOwner: boolean;
}) {
  const { order, depth, waiting } = props;
  const cancel = useAction((client, order_id: string, options) =>
    client.deleteOrder({ strategy_id: order.strategy_id, order_id }, options),
  );
  return (
    <li style={{ paddingLeft: `${Math.min(depth, 6) * 1.25}rem` }}>
      <div class="row ends">
        <div>
          <b class={order.action === 'buy' ? 'up' : 'down'}>{order.action}</b> <b>{order.symbol}</b>{' '}
          {sentenceOfOrder(order)}
          <div class="small quiet">
            {words(order.type)}
            {order.reduce_only && ', reduces only'}
            {order.waiting_reason !== null && ` · ${WAITS[order.waiting_reason]}`} · since{' '}
            {moment(order.created_at)}
          </div>
        </div>
        {props.isOwner && (
          <Confirmed
            label="Cancel"
            confirm="Cancel the order"
            consequence={
              waiting === 0
                ? `The order to ${order.action} ${order.symbol} is cancelled.`
                : `The order is cancelled, and ${waiting === 1 ? 'one that waits for it is' : `${waiting} that wait for it are`} released.`
            }
            isBusy={cancel.isBusy}
            onConfirm={() => cancel.run(order.order_id)}
            isDanger
          />
        )}
      </div>
      <Failure of={cancel} />
    </li>
  );
}
