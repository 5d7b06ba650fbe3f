import type { OrderId } from '../ids.js';
import type { OpenOrder } from './order.js';

/**
 * The open orders after `gone` were filled, cancelled or rejected: they leave every `dependsOn` (contract 3,
 * "Dependencies"). Dependents are released, never cancelled.
 */
export function release(
  open: readonly OpenOrder[],
  gone: ReadonlySet<OrderId>,
): { readonly open: readonly OpenOrder[]; readonly released: readonly OpenOrder[] } {
  const released: OpenOrder[] = [];
  const next = open.map((order) => {
    if (!order.dependsOn.some((prerequisite) => gone.has(prerequisite))) return order;
    const freed = { ...order, dependsOn: order.dependsOn.filter((other) => !gone.has(other)) };
    released.push(freed);
    return freed;
  });
  return { open: released.length > 0 ? next : open, released };
}

/** The open orders that must close before one that depends on `dependsOn` can execute, direct and indirect, oldest first. */
export function prerequisitesOf(
  open: readonly OpenOrder[],
  dependsOn: readonly OrderId[],
): readonly OpenOrder[] {
  const wanted = new Set(dependsOn);
  const orders: OpenOrder[] = [];
  // A prerequisite is always older than its dependents: one pass from the youngest finds all.
  for (let at = open.length - 1; at >= 0 && wanted.size > orders.length; at -= 1) {
    const order = open[at] as OpenOrder;
    if (!wanted.has(order.id)) continue;
    orders.push(order);
    for (const prerequisite of order.dependsOn) wanted.add(prerequisite);
  }
  return orders.reverse();
}

/** The longest chain of orders for which one of `ids` waits; 0 if none waits. `open` is in order of acceptance. */
export function dependencyDepth(open: readonly OpenOrder[], ids: readonly OrderId[]): number {
  const depths = new Map<OrderId, number>();
  const deepest = (of: readonly OrderId[]): number =>
    of.reduce((most, orderId) => Math.max(most, depths.get(orderId) ?? 0), 0);
  for (const { id, dependsOn } of open)
    depths.set(id, dependsOn.length === 0 ? 0 : deepest(dependsOn) + 1);
  return deepest(ids);
}
