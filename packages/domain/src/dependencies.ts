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
