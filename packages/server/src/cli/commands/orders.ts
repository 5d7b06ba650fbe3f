import type { Request } from '@slipstream/client';
import type { ResponseOf } from '@slipstream/wire';
import type { Command } from 'commander';
import type { Columns } from '../output.js';
import { type Environment, remote } from '../remote.js';

export type Order = ResponseOf<'getOrders'>[number];
type NewOrder = Request<'newOrder'>;

/** The columns of an order in a table: its action, its progress, and the reason why it waits. */
export const orderColumns: Columns<Order> = {
  ORDER: (order) => order.order_id,
  ACTION: (order) => order.action,
  STOCK: (order) => `${order.symbol}:${order.exchange}`,
  TYPE: (order) => order.type,
  AMOUNT: (order) => order.filled_amount ?? order.amount,
  TOTAL: (order) => order.filled_total ?? order.total,
  PRICE: (order) => order.filled_price ?? order.price,
  STOP: (order) => order.stop_price,
  STATUS: (order) => order.order_status,
  WHY: (order) => order.waiting_reason ?? order.order_reason,
};

interface Given {
  readonly amount?: string;
  readonly total?: string;
  readonly type?: NewOrder['type'];
  readonly price?: string;
  readonly stopPrice?: string;
  readonly reduceOnly?: true;
}

export function orders(program: Command, environment: Environment): void {
  const group = program.command('orders').description('the orders of a strategy');

  const list = group
    .command('list', { isDefault: true })
    .description('list the open orders, or those with another status')
    .argument('<strategy_id>')
    .option('--status <status>', 'open, filled, cancelled or rejected', 'open')
    .option('--limit <count>', 'the number of orders, 1 to 100');
  remote(
    list,
    environment,
    async (
      { client, showPage },
      strategy_id: string,
      { status, limit }: { status: Order['order_status']; limit?: string },
    ) => {
      const found = await client.getOrders({ strategy_id, order_status: status, limit });
      const after = ({ order_id }: Order) => ({
        ...{ strategy_id, order_status: status },
        cursor: order_id,
      });
      showPage('getOrders', found, orderColumns, `No ${status} orders.`, after, limit);
    },
  );

  const create = group
    .command('new')
    .description('place an order of a fixed size')
    .argument('<strategy_id>')
    .argument('<action>', 'buy or sell')
    .argument('<stock>', 'for example AAPL:NASDAQ')
    .option('--amount <quantity>', 'normalized quantity')
    .option('--total <cash>', 'normalized cash, instead of an amount')
    .option('--type <type>', 'market, limit, stop_market, stop_limit or oco')
    .option('--price <price>')
    .option('--stop-price <price>')
    .option('--reduce-only', 'only reduce the position, never reverse it');
  remote(
    create,
    environment,
    async (
      { client, showOne },
      strategy_id: string,
      action: NewOrder['action'],
      stock_id: string,
      { amount, total, type, price, stopPrice, reduceOnly }: Given,
    ) => {
      const order = await client.newOrder({
        strategy_id,
        stock_id,
        action,
        type,
        amount,
        total,
        price,
        stop_price: stopPrice,
        reduce_only: reduceOnly,
      });
      showOne(order, orderColumns);
    },
  );

  const cancel = group
    .command('cancel')
    .description('cancel an open order; orders that wait for it are released')
    .argument('<strategy_id>')
    .argument('<order_id>');
  remote(
    cancel,
    environment,
    async ({ client, showText }, strategy_id: string, order_id: string) => {
      const said = await client.deleteOrder({ strategy_id, order_id });
      showText(said, said);
    },
  );
}
