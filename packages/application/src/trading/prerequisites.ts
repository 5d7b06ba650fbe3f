import { type Book, type Order, type OrderId, Refusal, id, openOrder } from '@slipstream/domain';
import type { Stores } from '@slipstream/ports';

/** An open or past order of the strategy. Undefined for an order of another strategy, which is refused as unknown. */
export async function orderOf(
  { orders }: Pick<Stores, 'orders'>,
  { strategyId }: Book,
  orderId: OrderId,
): Promise<Order | undefined> {
  const order = await orders.find(orderId);
  return order?.strategyId === strategyId ? order : undefined;
}

/** Why an order cannot be cancelled or waited for. */
export const notOpen = (orderId: OrderId, order: Order | undefined): Refusal =>
  order
    ? new Refusal('order_not_open', `order ${orderId} is not open: it is ${order.status}`)
    : new Refusal('not_found', `order ${orderId} does not exist`);

/**
 * The named orders that are still open. A filled order is a prerequisite that is met: an entry followed by its stop must
 * work however fast the entry fills. A cancelled, rejected or unknown order is refused (contract 7b.1).
 */
export async function openPrerequisites(
  stores: Pick<Stores, 'orders'>,
  book: Book,
  named: readonly string[],
): Promise<OrderId[]> {
  const open: OrderId[] = [];
  for (const name of new Set(named)) {
    const orderId = id<'order'>(name);
    if (openOrder(book, orderId)) {
      open.push(orderId);
      continue;
    }
    const order = await orderOf(stores, book, orderId);
    if (order?.status !== 'filled') throw notOpen(orderId, order);
  }
  return open;
}
