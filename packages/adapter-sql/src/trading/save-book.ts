import type { Book, BookChange, Order, OrderId, Trade } from '@slipstream/domain';
import { type OrderProgress, PROGRESS, orderColumns, orderRow, progressOf } from './order-row.js';
import { insert, removal, updateGuarded, upsert } from '../storage/queries.js';
import type { Session } from '../storage/session.js';
import { findBook } from './load-books.js';
import {
  type BookRow,
  type OrderRow,
  type PositionRow,
  bookColumns,
  positionColumns,
  tradeColumns,
} from './columns.js';

const addBook = insert<BookRow>('books', bookColumns, 'strategy_id');
const changeBook = updateGuarded<BookRow & { readonly was: number }>(
  'books',
  ['version', 'cash'],
  'strategy_id',
  'version',
);
const savePosition = upsert('positions', positionColumns, 'strategy_id', 'stock_id');
const removePosition = removal<Pick<PositionRow, 'strategy_id' | 'stock_id'>>(
  'positions',
  'strategy_id',
  'stock_id',
);
type OpenRow<Row> = Row & { readonly was: 'open' };
const addOrder = insert<Order>('orders', orderColumns, 'id');
const changeOrder = updateGuarded<OpenRow<OrderRow>>(
  'orders',
  orderColumns.names.filter((name) => name !== 'id'),
  'id',
  'status',
);
const closeOrder = updateGuarded<OpenRow<OrderProgress & { readonly id: OrderId }>>(
  'orders',
  PROGRESS,
  'id',
  'status',
);

const addTrade = insert<Trade>('trades', tradeColumns, 'id');

/** Version and cash, guarded: what is stored must be what the book was made from. */
function saveOwnRow(session: Session, book: Book, stored: Book | undefined): void {
  const row = { strategy_id: book.strategyId, version: book.version, cash: book.cash.toFixed() };
  if (!stored) session.write(addBook(row));
  else session.write(changeBook({ was: stored.version, ...row }), 1);
}

function savePositions(session: Session, book: Book, stored: Book | undefined): void {
  const { strategyId, positions } = book;
  if (positions === stored?.positions) return;
  for (const position of positions.values()) {
    if (stored?.positions.get(position.stockId) !== position)
      session.write(savePosition({ strategyId, ...position }));
  }
  for (const stockId of stored?.positions.keys() ?? []) {
    if (!positions.has(stockId))
      session.write(removePosition({ strategy_id: strategyId, stock_id: stockId }));
  }
}

/** Writes open orders that are new or another value than before, and what became of those that left. */
async function saveOrders(
  session: Session,
  book: Book,
  stored: Book | undefined,
  changes: readonly BookChange[],
): Promise<void> {
  const storedIds = new Set<OrderId>(stored?.openOrders.map((order) => order.id));
  const unchanged = new Set<Order>(stored?.openOrders);
  const remaining = new Set(storedIds);

  for (const { order } of changes) {
    if (session.isTiring()) await session.rest();
    if (order.status === 'open') continue;
    remaining.delete(order.id);
    if (storedIds.has(order.id))
      session.write(closeOrder({ id: order.id, was: 'open', ...progressOf(order) }), 1);
    else session.write(addOrder(order));
  }
  for (const order of book.openOrders) {
    if (session.isTiring()) await session.rest();
    remaining.delete(order.id);
    if (unchanged.has(order)) continue;
    if (storedIds.has(order.id)) session.write(changeOrder({ was: 'open', ...orderRow(order) }), 1);
    else session.write(addOrder(order));
  }
  for (const lost of remaining)
    session.refuse(`order ${lost} left book ${book.strategyId} without a change`);
}

/** True when `book` may take the place of `stored`. */
const follows = (book: Book, stored: Book | undefined, changes: readonly BookChange[]): boolean =>
  changes.length === 0
    ? !stored || stored.version === book.version || stored.version === book.version - 1
    : stored?.version === book.version - 1;

/** Writes what differs from the stored book, and the orders and trades of the changes. */
export async function saveBook(
  session: Session,
  book: Book,
  changes: readonly BookChange[],
): Promise<void> {
  const stored = await findBook(session, book.strategyId);
  if (!follows(book, stored, changes))
    session.refuse(
      `book ${book.strategyId} has version ${stored?.version ?? 'none'}, not the one before ${book.version}`,
    );

  saveOwnRow(session, book, stored);
  savePositions(session, book, stored);
  await saveOrders(session, book, stored, changes);
  for (const change of changes) {
    if (change.kind !== 'filled') continue;
    session.write(addTrade(change.trade));
    session.records.written('newestTrades', book.strategyId, undefined);
  }
  session.records.written('books', book.strategyId, book);
}
