import { type Book, type BookChange, type Order, type OrderId, packBook } from '@slipstream/domain';
import type { BookStore, OrderStore, TradeStore } from '@slipstream/ports';
import { byAge, byText, page } from '../storage/order-of-lists.js';
import type { Tables } from '../storage/tables.js';

/** True when `book` may take the place of `stored`. */
const follows = (book: Book, stored: Book | undefined, changes: readonly BookChange[]): boolean =>
  changes.length === 0
    ? !stored || stored.version === book.version || stored.version === book.version - 1
    : stored?.version === book.version - 1;

export const memoryBooks = ({ books, orders, trades, refuse }: Tables): BookStore => ({
  find: async (strategyId) => books.get(strategyId),
  all: async (known) =>
    books
      .values()
      .filter(({ strategyId, version }) => known?.get(strategyId) !== version)
      .toSorted((a, b) => byText(a.strategyId, b.strategyId))
      .map(packBook),
  save: async (book, changes) => {
    const stored = books.get(book.strategyId);
    if (!follows(book, stored, changes))
      refuse(
        `book ${book.strategyId} has version ${stored?.version ?? 'none'}, not the one before ${book.version}`,
      );

    const written = new Map<OrderId, Order>(book.openOrders.map((order) => [order.id, order]));
    for (const change of changes) {
      if (change.order.status !== 'open') written.set(change.order.id, change.order);
    }
    const lost = stored?.openOrders.find((order) => !written.has(order.id));
    if (lost) refuse(`order ${lost.id} left book ${book.strategyId} without a change`);

    books.set(book.strategyId, book);
    for (const order of written.values()) orders.set(order.id, order);
    for (const change of changes) {
      if (change.kind === 'filled') trades.set(change.trade.id, change.trade);
    }
  },
});

export const memoryOrders = ({ orders }: Tables): OrderStore => ({
  find: async (orderId) => orders.get(orderId),
  list: async (strategyId, status, wanted) => {
    const ofStrategy = orders.values().filter((order) => order.strategyId === strategyId);
    return page(
      ofStrategy.filter((order) => order.status === status),
      wanted,
      (cursor) => ofStrategy.find((order) => order.id === cursor),
    );
  },
});

export const memoryTrades = ({ trades }: Tables): TradeStore => ({
  list: async (strategyId, wanted) => {
    const ofStrategy = trades.values().filter((trade) => trade.strategyId === strategyId);
    return page(ofStrategy, wanted, (cursor) => ofStrategy.find((trade) => trade.id === cursor));
  },
  ledger: async (strategyId) =>
    trades
      .values()
      .filter((trade) => trade.strategyId === strategyId)
      .toSorted(byAge),
});
