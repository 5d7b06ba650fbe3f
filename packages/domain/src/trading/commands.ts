import { type Book, type BookChange, type Outcome, openOrder } from './book.js';
import { ZERO } from '../numbers/decimal.js';
import { release } from './dependencies.js';
import { execute } from './execute.js';
import type { NextId, OrderId } from '../ids.js';
import type { Market } from '../market/market.js';
import { onlyReduces } from './max-order-size.js';
import type { IdentifiedRequest, OpenOrder } from './order.js';
import { changeTo, marketOrders } from './plan.js';
import { Refusal } from '../refusal.js';
import { withdrawn } from './matching.js';

/** The outcome with the next version, if anything changed. */
const counted = (before: Book, { book, changes }: Outcome): Outcome =>
  changes.length === 0
    ? { book: before, changes }
    : { book: { ...book, version: before.version + 1 }, changes };

const cancelAll = (book: Book, reason: string, market: Market): Outcome => ({
  book: { ...book, openOrders: [] },
  changes: book.openOrders.map((order) => ({
    kind: 'cancelled',
    order: withdrawn(order, 'cancelled', reason, market),
  })),
});

const opened = (book: Book, request: IdentifiedRequest, market: Market): OpenOrder => ({
  id: request.id,
  strategyId: book.strategyId,
  stockId: request.stockId,
  action: request.action,
  pricing: request.pricing,
  size: request.size,
  dependsOn: request.dependsOn,
  reduceOnly: request.reduceOnly,
  origin: request.origin,
  createdAt: market.now,
  triggeredAt: null,
  status: 'open',
  restingSince: null,
});

/**
 * Accepts orders and executes those that can execute at once, as one change of the book. `accepted` has them as accepted.
 * It takes requests that were checked: `placeable` does so with an order of somebody, and what plans trades asks for none that is wrong.
 * With `replaces`, every open order is cancelled first, for that reason.
 * @example
 * // `market`: ACME at 100, free of fee and slippage; `nextId` counts
 * const order = {
 *   id: nextId(), stockId: id('acme'), action: 'buy', pricing: { type: 'market' },
 *   size: { by: 'total', total: decimal('0.5') }, dependsOn: [], reduceOnly: false, origin: 'order',
 * };
 * const { book, changes } = submit(newBook(id('mine')), [order], market, nextId);
 * changes.map(({ kind }) => kind) // => ['opened', 'filled']
 * decimalText(book.positions.get('acme').amount) // => '0.005'
 */
export function submit(
  book: Book,
  requests: readonly IdentifiedRequest[],
  market: Market,
  nextId: NextId,
  replaces?: string,
): Outcome & { readonly accepted: readonly OpenOrder[] } {
  const cleared: Outcome =
    replaces === undefined ? { book, changes: [] } : cancelAll(book, replaces, market);
  const accepted = requests.map((request) => opened(book, request, market));
  const placed = {
    ...cleared.book,
    openOrders: [...cleared.book.openOrders, ...accepted],
  };
  const executed = execute(placed, market, nextId, new Set(accepted.map((order) => order.id)));
  const changes: BookChange[] = [
    ...cleared.changes,
    ...accepted.map((order) => ({ kind: 'opened' as const, order })),
    ...executed.changes,
  ];
  return { accepted, ...counted(book, { book: executed.book, changes }) };
}

/**
 * Cancels an open order; its dependents are released, not cancelled, and execute if they can (spec 4.4, deleteOrder).
 * @throws {Refusal} `order_not_open` when the book has no such open order.
 */
export function cancelOrder(book: Book, orderId: OrderId, market: Market, nextId: NextId): Outcome {
  const order = openOrder(book, orderId);
  if (!order) throw new Refusal('order_not_open', 'the order is not open');
  const remaining = book.openOrders.filter((other) => other.id !== orderId);
  const { open, released } = release(remaining, new Set([orderId]));
  const executed = execute(
    { ...book, openOrders: open },
    market,
    nextId,
    new Set(released.map((dependent) => dependent.id)),
  );
  return counted(book, {
    book: executed.book,
    changes: [
      { kind: 'cancelled', order: withdrawn(order, 'cancelled', 'cancelled by the owner', market) },
      ...released.map((dependent) => ({ kind: 'released' as const, order: dependent })),
      ...executed.changes,
    ],
  });
}

/** Cancels all open orders, for that reason. */
export const cancelOpenOrders = (book: Book, reason: string, market: Market): Outcome =>
  counted(book, cancelAll(book, reason, market));

/**
 * From now on the book can only close (contract 7b.9): orders that reduce what is held do no more than that, the others are
 * cancelled, and what waited for these is released.
 */
export function closeOnly(book: Book, reason: string, market: Market, nextId: NextId): Outcome {
  const reduces = (order: OpenOrder): boolean => {
    const stock = market.stock(order.stockId);
    return stock !== undefined && onlyReduces(book, order, stock, market);
  };
  const gone = book.openOrders.filter((order) => !reduces(order));
  const bound = book.openOrders
    .filter(reduces)
    .map((order) => (order.reduceOnly ? order : { ...order, reduceOnly: true }));
  const { open, released } = release(bound, new Set(gone.map((order) => order.id)));
  const executed = execute(
    { ...book, openOrders: open },
    market,
    nextId,
    new Set(released.map((order) => order.id)),
  );
  const known = new Set<OpenOrder>([...book.openOrders, ...released]);
  return counted(book, {
    book: executed.book,
    changes: [
      ...gone.map((order) => ({
        kind: 'cancelled' as const,
        order: withdrawn(order, 'cancelled', reason, market),
      })),
      ...released.map((order) => ({ kind: 'released' as const, order })),
      ...open
        .filter((order) => !known.has(order))
        .map((order) => ({ kind: 'adjusted' as const, order })),
      ...executed.changes,
    ],
  });
}

/** The orders that close holdings without an open order as soon as they can trade. A delisted holding waits for its settlement. */
export function closingRequests(book: Book, market: Market, nextId: NextId): IdentifiedRequest[] {
  const ordered = new Set(book.openOrders.map((order) => order.stockId));
  const changes = [...book.positions.keys()].flatMap((stockId) => {
    const stock = market.stock(stockId);
    const closes = stock && stock.status !== 'delisted' && !ordered.has(stockId);
    return closes ? changeTo(book, market, stock, ZERO) : [];
  });
  return marketOrders(changes, nextId).map((request) => ({ ...request, reduceOnly: true }));
}

/**
 * Matches the orders of `due` after a quote came or a session opened.
 * @example
 * // `market`: ACME at 100, free of fee and slippage; `closed` the same at night, `nextId` counts
 * const order = {
 *   id: nextId(), stockId: id('acme'), action: 'buy', pricing: { type: 'market' },
 *   size: { by: 'total', total: decimal('0.5') }, dependsOn: [], reduceOnly: false, origin: 'order',
 * };
 * const waiting = submit(newBook(id('mine')), [order], closed, nextId);
 * waiting.book.openOrders.length // => 1
 * matchOrders(waiting.book, market, nextId).changes.map(({ kind }) => kind) // => ['filled']
 */
export const matchOrders = (
  book: Book,
  market: Market,
  nextId: NextId,
  due?: ReadonlySet<OrderId>,
): Outcome => counted(book, execute(book, market, nextId, due));

/** A moment of the market, and the orders to match in it; undefined means all. */
export interface Encounter {
  readonly market: Market;
  readonly due: (book: Book) => ReadonlySet<OrderId> | undefined;
}

/** Matches the book at one moment after another, as one change. */
export function matchInTurn(
  book: Book,
  encounters: readonly Encounter[],
  nextId: NextId,
): Outcome & {
  /** The market of the last fill, if there was one. */
  readonly filledIn: Market | undefined;
} {
  let [current, filledIn]: [Book, Market | undefined] = [book, undefined];
  const changes: BookChange[] = [];
  for (const { market, due } of encounters) {
    const outcome = execute(current, market, nextId, due(current));
    current = outcome.book;
    changes.push(...outcome.changes);
    if (outcome.changes.some(({ kind }) => kind === 'filled')) filledIn = market;
  }
  return { ...counted(book, { book: current, changes }), filledIn };
}
