import { id } from '@slipstream/domain';
import { type Event, type OrderChange, type OrdersChanged, ordersChanged } from '@slipstream/ports';
import type { Stored } from '../storage/codec.js';
import type { OrderRow } from '../trading/columns.js';
import { orderColumns, orderOf } from '../trading/order-row.js';

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

/** What such a text tells. */
export const toldIn = (text: string): OrdersChanged[] =>
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
