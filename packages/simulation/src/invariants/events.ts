import type { Event } from '@slipstream/ports';
import type { World } from '../world/world.js';

/** O5: an order is published as released once for each prerequisite that left. */
export function checkEvent(world: World, event: Event): void {
  if (event.kind !== 'book_changed') return;
  const { before, after, changes, strategyId } = event;
  if (after.version !== before.version + 1) {
    world.violate(
      'O8',
      `a change of ${strategyId} went from ${before.version} to ${after.version}`,
    );
  }
  const waits = new Map(before.openOrders.map((order) => [order.id, order.dependsOn.length]));
  for (const { kind, order } of changes) {
    if (kind === 'opened') waits.set(order.id, order.dependsOn.length);
    if (kind !== 'released') continue;
    if (order.dependsOn.length >= (waits.get(order.id) ?? 0)) {
      world.violate('O5', `order ${order.id} was released though nothing left its dependencies`);
    }
    waits.set(order.id, order.dependsOn.length);
  }
}
