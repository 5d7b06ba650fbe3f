import type { StreamEvent } from '@slipstream/client';
import { type Bot, botColumns } from './commands/bot-columns.js';
import { type Order, orderColumns } from './commands/orders.js';
import { table } from './output.js';

type Values = Extract<StreamEvent<'wsStrategyValue'>, { event: 'snapshot' }>['data'];
type Holdings = Extract<StreamEvent<'wsPositions'>, { event: 'snapshot' }>['data'];
type Position = Holdings['positions'][number];

const isOf = <Kind extends string>(event: { readonly channel: string }, kind: Kind): boolean =>
  event.channel.startsWith(`${kind}:`);

/** The most closed orders that are shown. */
const MOST_CLOSED = 10;

/** The displayed state of the channels: the sum of snapshots and changes. */
export function liveBoard() {
  const values = new Map<string, Values & { readonly at: string }>();
  const orders = new Map<string, Order>();
  const positions = new Map<string, Position>();
  const bots = new Map<string, Bot>();
  const others = new Map<string, string>();

  function takeOrders(event: Exclude<StreamEvent<'wsOrders'>, { event: 'ended' }>): void {
    // Open ones that a snapshot does not have were closed while nobody heard it.
    if (event.event === 'snapshot')
      for (const [key, { strategy_id, order_status }] of orders)
        if (event.channel === `wsOrders:${strategy_id}` && order_status === 'open')
          orders.delete(key);
    for (const order of [event.data].flat()) {
      // Closed ones stand in the order in which they were closed.
      if (order.order_status !== 'open') orders.delete(order.order_id);
      orders.set(order.order_id, order);
    }
    const closed = [...orders.values()].filter(({ order_status }) => order_status !== 'open');
    for (const order of closed.slice(0, -MOST_CLOSED)) orders.delete(order.order_id);
  }

  function takePositions(event: Exclude<StreamEvent<'wsPositions'>, { event: 'ended' }>): void {
    if (event.event === 'snapshot') {
      for (const [key, { strategy_id }] of positions) {
        if (strategy_id === event.data.strategy_id) positions.delete(key);
      }
    }
    if (event.event === 'valued') {
      for (const values of event.data.positions) {
        const key = `${event.data.strategy_id} ${values.stock_id}`;
        const known = positions.get(key);
        if (known) positions.set(key, { ...known, ...values });
      }
      return;
    }
    for (const position of event.data.positions) {
      const key = `${position.strategy_id} ${position.stock_id}`;
      if (position.amount === '0') positions.delete(key);
      else positions.set(key, position);
    }
  }

  function take(event: StreamEvent): void {
    if (event.event === 'ended') {
      others.set(event.channel, `ended: ${event.data.reason}`);
    } else if (isOf(event, 'wsStrategyValue')) {
      const { data, at } = event as Exclude<StreamEvent<'wsStrategyValue'>, { event: 'ended' }>;
      values.set(data.strategy_id, { ...data, at });
    } else if (isOf(event, 'wsOrders')) {
      takeOrders(event as Exclude<StreamEvent<'wsOrders'>, { event: 'ended' }>);
    } else if (isOf(event, 'wsPositions')) {
      takePositions(event as Exclude<StreamEvent<'wsPositions'>, { event: 'ended' }>);
    } else if (isOf(event, 'wsBot')) {
      const told = event as Exclude<StreamEvent<'wsBot'>, { event: 'ended' }>;
      if (told.event === 'snapshot' || told.event === 'changed')
        bots.set(told.data.bot_id, told.data);
    } else {
      others.set(event.channel, JSON.stringify(event.data));
    }
  }

  const text = (): string =>
    [
      values.size > 0 &&
        table([...values.values()], {
          STRATEGY: (value) => value.strategy_id,
          VALUE: (value) => value.strategy_value,
          AT: (value) => value.at.slice(11, 23),
        }),
      positions.size > 0 &&
        table([...positions.values()], {
          POSITION: (position) => `${position.symbol}:${position.exchange}`,
          AMOUNT: (position) => position.amount,
          VALUE: (position) => position.value,
          SHARE: (position) => position.percent,
          UNREALIZED: (position) => position.unrealized,
        }),
      orders.size > 0 && table([...orders.values()], orderColumns),
      bots.size > 0 && table([...bots.values()], botColumns),
      ...[...others].map(([channel, text]) => `${channel} ${text}`),
    ]
      .filter((part) => part !== false)
      .join('\n\n');

  return { take, text };
}

/** The first lines of a text that a terminal has room for, with how many more there are; and the rows that they take. */
export function fitting(
  text: string,
  { rows, columns }: { readonly rows: number; readonly columns: number },
): { readonly shown: string; readonly height: number } {
  const lines = text.split('\n');
  const heightOf = (all: readonly string[]): number =>
    all.reduce((sum, line) => sum + Math.max(1, Math.ceil(line.length / columns)), 0);
  let count = lines.length;
  const kept = (): readonly string[] =>
    count === lines.length
      ? lines
      : [...lines.slice(0, count), `… ${lines.length - count} more lines`];
  while (count > 0 && heightOf(kept()) > rows) count -= 1;
  return { shown: kept().join('\n'), height: heightOf(kept()) };
}
