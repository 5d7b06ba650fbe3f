import type {
  Book,
  BookChange,
  Order,
  OrderId,
  StockId,
  StrategyId,
  Trade,
} from '@slipstream/domain';
import { type OrderProgress, orderColumns, orderRow, progressOf } from './order-row.js';
import { build, insert, prepared, upsert } from '../storage/queries.js';
import type { Session } from '../storage/session.js';
import { findBook } from './load-books.js';
import { type BookRow, type OrderRow, positionColumns, tradeColumns } from './columns.js';

const addBook = prepared<BookRow>()((param) =>
  build.insertInto('books').values({
    strategy_id: param('strategy_id'),
    version: param('version'),
    cash: param('cash'),
  }),
);
const changeBook = prepared<BookRow & { before: number }>()((param) =>
  build
    .updateTable('books')
    .set({ version: param('version'), cash: param('cash') })
    .where('strategy_id', '=', param('strategy_id'))
    .where('version', '=', param('before')),
);
const savePosition = upsert('positions', positionColumns, 'strategy_id', 'stock_id');
const removePosition = prepared<{ strategyId: StrategyId; stockId: StockId }>()((param) =>
  build
    .deleteFrom('positions')
    .where('strategy_id', '=', param('strategyId'))
    .where('stock_id', '=', param('stockId')),
);
const addOrder = insert<Order>('orders', orderColumns);
const changeOrder = prepared<OrderRow>()((param) =>
  build
    .updateTable('orders')
    .set(Object.fromEntries(orderColumns.names.map((name) => [name, param(name)])))
    .where('id', '=', param('id'))
    .where('status', '=', 'open'),
);
const closeOrder = prepared<OrderProgress & { id: string }>()((param) =>
  build
    .updateTable('orders')
    .set({
      depends_on: param('depends_on'),
      triggered_at: param('triggered_at'),
      status: param('status'),
      resting_since: param('resting_since'),
      closed_at: param('closed_at'),
      filled_price: param('filled_price'),
      filled_amount: param('filled_amount'),
      filled_total: param('filled_total'),
      fee_total: param('fee_total'),
      reason: param('reason'),
    })
    .where('id', '=', param('id'))
    .where('status', '=', 'open'),
);

const addTrade = insert<Trade>('trades', tradeColumns);

/** Version and cash, guarded: what is stored must be what the book was made from. */
function saveOwnRow(session: Session, book: Book, stored: Book | undefined): void {
  const row = { strategy_id: book.strategyId, version: book.version, cash: book.cash.toFixed() };
  if (!stored) session.write(addBook(row));
  else session.write(changeBook({ ...row, before: stored.version }), 1);
}

function savePositions(session: Session, book: Book, stored: Book | undefined): void {
  const { strategyId, positions } = book;
  if (positions === stored?.positions) return;
  for (const position of positions.values()) {
    if (stored?.positions.get(position.stockId) !== position)
      session.write(savePosition({ strategyId, ...position }));
  }
  for (const stockId of stored?.positions.keys() ?? []) {
    if (!positions.has(stockId)) session.write(removePosition({ strategyId, stockId }));
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
      session.write(closeOrder({ id: order.id, ...progressOf(order) }), 1);
    else session.write(addOrder(order));
  }
  for (const order of book.openOrders) {
    if (session.isTiring()) await session.rest();
    remaining.delete(order.id);
    if (unchanged.has(order)) continue;
    if (storedIds.has(order.id)) session.write(changeOrder(orderRow(order)), 1);
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
  for (const change of changes) if (change.kind === 'filled') session.write(addTrade(change.trade));
  session.records.written('books', book.strategyId, book);
}
