import type { OrderId } from './ids.js';
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

/** The most orders in a row that one of `ids` waits for; 0 when none waits. `open` is in order of acceptance. */
export function dependencyDepth(open: readonly OpenOrder[], ids: readonly OrderId[]): number {
  const depths = new Map<OrderId, number>();
  const deepest = (of: readonly OrderId[]): number =>
    of.reduce((most, orderId) => Math.max(most, depths.get(orderId) ?? 0), 0);
  for (const { id, dependsOn } of open)
    depths.set(id, dependsOn.length === 0 ? 0 : deepest(dependsOn) + 1);
  return deepest(ids);
}
