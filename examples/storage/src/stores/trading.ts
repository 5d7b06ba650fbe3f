import { type AnnouncedAction, type Book, type BookChange, packBook } from '@slipstream/domain';
import type { Stores } from '@slipstream/ports';
import { type Tables, byId, keyOf, oldestFirst, pageOf } from '../table.js';

type TradingStores = Pick<
  Stores,
  | 'books'
  | 'orders'
  | 'trades'
  | 'stocks'
  | 'quotes'
  | 'dailyCloses'
  | 'marketRuns'
  | 'stockActions'
  | 'adjustments'
  | 'announcedActions'
  | 'quoteFeed'
  | 'marketDays'
>;

/** Throws unless the book follows the stored one, and no open order went without a word. */
function requireNext(stored: Book | undefined, book: Book, changes: readonly BookChange[]): void {
  if (!stored) {
    if (changes.length > 0) throw new Error('a book that was never stored has no changes');
    return;
  }
  const isSame = changes.length === 0 && book.version === stored.version;
  if (!isSame && book.version !== stored.version + 1)
    throw new Error(`version ${book.version} of a book does not follow ${stored.version}`);
  const remaining = new Set(
    [...book.openOrders, ...changes.map(({ order }) => order)].map(({ id }) => id),
  );
  const lost = stored.openOrders.find(({ id }) => !remaining.has(id));
  if (lost) throw new Error(`the book lost its open order ${lost.id}`);
}

export const tradingStores = (tables: Tables): TradingStores => {
  const { books, orders, trades, stocks, quotes, marketRuns, stockActions, adjustments } = tables;
  const { announcedActions, dailyCloses, quoteFeed, marketDays } = tables;
  const byDue = (rows: readonly AnnouncedAction[]) =>
    byId(rows).toSorted((one, other) => one.dueAt - other.dueAt);
  return {
    books: {
      find: async (strategyId) => books.get(strategyId),
      all: async (known) =>
        books.where(({ strategyId, version }) => known?.get(strategyId) !== version).map(packBook),
      save: async (book, changes) => {
        requireNext(books.get(book.strategyId), book, changes);
        books.set(book.strategyId, book);
        for (const order of book.openOrders) orders.set(order.id, order);
        for (const change of changes) {
          const { order } = change;
          if (order.status !== 'open') orders.set(order.id, order);
          if (change.kind === 'filled') trades.add(change.trade.id, change.trade);
        }
      },
    },
    orders: {
      find: async (orderId) => orders.get(orderId),
      list: async (strategyId, wanted, page) =>
        pageOf(
          orders.where((order) => order.strategyId === strategyId),
          page,
          ({ status }) => status === wanted,
        ),
    },
    trades: {
      list: async (strategyId, page) =>
        pageOf(
          trades.where((trade) => trade.strategyId === strategyId),
          page,
        ),
      ledger: async (strategyId) =>
        oldestFirst(trades.where((trade) => trade.strategyId === strategyId)),
    },
    stocks: {
      all: async () => byId(stocks.where(() => true)),
      save: async (some) => some.forEach((stock) => stocks.set(stock.id, stock)),
    },
    marketRuns: {
      last: async () => marketRuns.get('last'),
      save: async (run) => marketRuns.set('last', run),
    },
    quotes: {
      all: async () => {
        const all = quotes.where(() => true).map((quote) => ({ id: quote.stockId, quote }));
        return byId(all).map(({ quote }) => quote);
      },
      save: async (some) => some.forEach((quote) => quotes.set(quote.stockId, quote)),
    },
    dailyCloses: {
      listAfter: async (stockId, day, limit) =>
        dailyCloses
          .where((close) => close.stockId === stockId && close.day > day)
          .sort((one, other) => one.day - other.day)
          .slice(0, limit),
      save: async (some) =>
        some.forEach((close) => dailyCloses.set(keyOf(close.stockId, close.day), close)),
    },
    stockActions: {
      find: async (actionId) => stockActions.get(actionId),
      pending: async () => oldestFirst(stockActions.where(({ status }) => status === 'pending')),
      lastSplits: async () => {
        const splits = oldestFirst(stockActions.where(({ kind }) => kind === 'split'));
        return [...new Map(splits.map((split) => [split.stockId, split])).values()];
      },
      newest: async () => oldestFirst(stockActions.where(() => true)).at(-1),
      ofStock: async (stockId, from) =>
        oldestFirst(stockActions.where((one) => one.stockId === stockId && one.createdAt >= from)),
      save: async (action) => stockActions.set(action.id, action),
    },
    announcedActions: {
      find: async (actionId) => announcedActions.get(actionId),
      open: async () =>
        byDue(announcedActions.where(({ status }) => status === 'pending' || status === 'held')),
      dueSince: async (from) => byDue(announcedActions.where(({ dueAt }) => dueAt >= from)),
      save: async (action) => announcedActions.set(action.id, action),
    },
    quoteFeed: {
      find: async () => quoteFeed.get('the one'),
      save: async (feed) => quoteFeed.set('the one', feed),
    },
    marketDays: {
      since: async (from) =>
        byId(
          marketDays.where(({ date }) => date >= from).map((day) => ({ id: day.date, day })),
        ).map(({ day }) => day),
      save: async (day) => marketDays.set(day.date, day),
    },
    adjustments: {
      find: async (actionId, strategyId) => adjustments.get(keyOf(actionId, strategyId)),
      list: async (strategyId, page) =>
        pageOf(
          adjustments.where((one) => one.strategyId === strategyId),
          page,
        ),
      ledger: async (strategyId) =>
        oldestFirst(adjustments.where((one) => one.strategyId === strategyId)),
      save: async (adjustment) =>
        adjustments.add(keyOf(adjustment.actionId, adjustment.strategyId), adjustment),
    },
  };
};
