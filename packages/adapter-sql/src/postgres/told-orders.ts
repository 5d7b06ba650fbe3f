import { id } from '@slipstream/domain';
import { type Event, type OrderChange, type OrdersChanged, ordersChanged } from '@slipstream/ports';
import type { Stored } from '../storage/codec.js';
import type { OrderRow } from '../trading/columns.js';
import { orderColumns, orderOf } from '../trading/order-row.js';
import { asQuery } from './client.js';
import type { Pool } from './pool.js';

/** A change of orders as the journal has it: the strategy, the time, the version, and each order with what became of it. */
type Told = readonly [
  strategyId: string,
  at: number,
  version: number,
  changes: readonly (readonly [kind: OrderChange['kind'], order: readonly Stored[]])[],
];

/** What the events of a commit tell of orders, as text; null when they tell nothing. */
export function toldText(events: readonly Event[]): string | null {
  const told: Told[] = [];
  for (const event of events) {
    const changed = ordersChanged(event);
    if (!changed) continue;
    const { strategyId, at, version, changes } = changed;
    const orders = changes.map(({ kind, order }) => [kind, orderColumns.store(order)] as const);
    told.push([strategyId, at, version, orders]);
  }
  return told.length > 0 ? JSON.stringify(told) : null;
}

const toldIn = (text: string): OrdersChanged[] =>
  (JSON.parse(text) as readonly Told[]).map(([strategyId, at, version, orders]) => ({
    strategyId: id<'strategy'>(strategyId),
    at,
    version,
    changes: orders.map(([kind, stored]) => ({ kind, order: orderOf(rowOf(stored)) })),
  }));

const rowOf = (stored: readonly Stored[]): OrderRow =>
  Object.fromEntries(
    orderColumns.names.map((name, at) => [name, stored[at]]),
  ) as unknown as OrderRow;

/**
 * The commits of a minute; at most so many of them, and so many bytes. Others follow a node within seconds of its end, and nobody is
 * answered until it is read. Those of a node are in the order of their numbers: the clock may have been set back between two of them.
 */
const TOLD = `SELECT orders FROM (
    SELECT orders, until, seq, sum(octet_length(orders)) OVER (ORDER BY until DESC, seq DESC) AS bytes FROM (
      SELECT orders, until, seq
      FROM journal JOIN (SELECT node, max(at) AS until FROM journal GROUP BY node) AS nodes USING (node)
      WHERE orders IS NOT NULL AND at > now() - interval '1 minute'
      ORDER BY until DESC, seq DESC LIMIT 10000
    ) AS latest
  ) AS summed WHERE bytes <= 8388608 ORDER BY until DESC, seq DESC`;

/** What those tell, in their order. */
export async function readToldOrders(pool: Pool): Promise<OrdersChanged[]> {
  const client = await pool.acquire();
  try {
    const { rows } = await client.query(asQuery(TOLD));
    return (rows as readonly { readonly orders: string }[])
      .toReversed()
      .flatMap(({ orders }) => toldIn(orders));
  } finally {
    pool.release(client);
  }
}
