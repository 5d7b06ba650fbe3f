import type { Book, BookChange, Outcome } from './book.js';
import { sign } from '../numbers/decimal.js';
import type { NextId, OrderId } from '../ids.js';
import type { Market } from '../market/market.js';
import type { OpenOrder } from './order.js';
import { NOTHING_TO_REDUCE, attempt, hasNothingToReduce, withdrawn } from './matching.js';
import { holding, remembering } from '../performance/valuation.js';

/**
 * Executes every executable order, always the oldest first: the orders of `due` (all if absent) and those that they release,
 * until nothing changes. The version stays: the calling command counts it.
 */
export function execute(
  book: Book,
  market: Market,
  nextId: NextId,
  due?: ReadonlySet<OrderId>,
): Outcome {
  const changes: BookChange[] = [];
  const orders: (OpenOrder | undefined)[] = [...book.openOrders];
  const pending = book.openOrders.map((order) => !due || due.has(order.id));
  const world = pending.filter(Boolean).length > 1 ? remembering(market) : market;
  let current = book;
  let at = 0;
  let waitingFor: ReadonlyMap<OrderId, readonly number[]> | undefined;

  /** The order left the book: its dependents are released, and matched in their turn. Returns their places. */
  const release = (gone: OrderId): readonly number[] => {
    waitingFor ??= dependentsOf(book.openOrders);
    const places = (waitingFor.get(gone) ?? []).filter((index) => orders[index] !== undefined);
    for (const index of places) {
      const dependent = orders[index];
      if (!dependent) continue;
      const dependsOn = dependent.dependsOn.filter((other) => other !== gone);
      const released = { ...dependent, dependsOn };
      orders[index] = released;
      changes.push({ kind: 'released', order: released });
      pending[index] = true;
      at = Math.min(at, index);
    }
    return places;
  };
  /**
   * Ends reduce-only orders with nothing to reduce before anything else trades: at their release, or when the holding closes
   * or changes sides.
   */
  const endIdle = (): void => {
    for (let index = 0; index < orders.length; index += 1) {
      const order = orders[index];
      if (!order || !hasNothingToReduce(current, order)) continue;
      orders[index] = undefined;
      const reason = NOTHING_TO_REDUCE;
      changes.push({ kind: 'cancelled', order: withdrawn(order, 'cancelled', reason, market) });
      index = Math.min(index, ...release(order.id).map((released) => released - 1));
    }
  };

  if (book.openOrders.some((order, index) => pending[index] && hasNothingToReduce(book, order)))
    endIdle();
  while (at < orders.length) {
    const index = at;
    at += 1;
    const order = orders[index];
    if (!order || !pending[index]) continue;
    pending[index] = false;
    const side = sign(holding(current, order.stockId));
    const { book: after, open, change } = attempt(current, order, world, nextId);
    current = after;
    orders[index] = open;
    if (change) changes.push(change);
    if (open) continue;
    const released = release(order.id);
    const isLeft = side !== 0 && sign(holding(current, order.stockId)) !== side;
    if (released.length > 0 || isLeft) endIdle();
  }
  if (changes.length === 0) return { book, changes };
  const openOrders = orders.filter((order) => order !== undefined);
  return { book: { ...current, openOrders }, changes };
}

/** For each order, the places of its dependents. */
function dependentsOf(orders: readonly OpenOrder[]): Map<OrderId, number[]> {
  const dependents = new Map<OrderId, number[]>();
  for (const [index, { dependsOn }] of orders.entries()) {
    for (const prerequisite of dependsOn) {
      const known = dependents.get(prerequisite);
      if (known) known.push(index);
      else dependents.set(prerequisite, [index]);
    }
  }
  return dependents;
}
