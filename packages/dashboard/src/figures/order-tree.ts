import type { Order } from '../service/folds.js';

/** An order in the tree of what waits for what. */
export interface Branch {
  readonly order: Order;
  /** How many open orders are above it. */
  readonly depth: number;
  /** How many open orders wait for this one. */
  readonly waiting: number;
}

/** Open orders with those first that others wait for, each followed by what waits for it; an order is there once. */
export function treeOf(orders: readonly Order[]): Branch[] {
  const ids = new Set(orders.map(({ order_id }) => order_id));
  const parentOf = (order: Order): string | undefined =>
    order.order_dependencies.filter((id) => ids.has(id)).at(-1);
  const waitingFor = (id: string): readonly Order[] =>
    orders.filter(({ order_dependencies: before }) => before.includes(id));
  const branch = (order: Order, depth: number): Branch[] => [
    { order, depth, waiting: waitingFor(order.order_id).length },
    ...orders
      .filter((other) => parentOf(other) === order.order_id)
      .flatMap((other) => branch(other, depth + 1)),
  ];
  return orders.filter((order) => parentOf(order) === undefined).flatMap((one) => branch(one, 0));
}
