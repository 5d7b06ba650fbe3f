import {
  type Book,
  type OpenOrder,
  type Position,
  type StockId,
  type StrategyId,
  ZERO,
  decimal,
  id,
  round18,
} from '@slipstream/domain';
import { openOrderOf } from './order-row.js';
import type { Answer } from '../storage/answer.js';
import { build, prepared } from '../storage/queries.js';
import type { Session } from '../storage/session.js';
import type { BookRow } from './columns.js';
import type { Database } from '../storage/database.js';

type OfStrategy = { readonly strategyId: StrategyId };

const bookRow = prepared<OfStrategy>()((param) =>
  build.selectFrom('books').selectAll().where('strategy_id', '=', param('strategyId')),
);
const positionRows = build.selectFrom('positions').selectAll().orderBy('place');
const positionsOfBook = prepared<OfStrategy>()((param) =>
  positionRows.where('strategy_id', '=', param('strategyId')),
);
const openOrderRows = build
  .selectFrom('orders')
  .selectAll()
  .where('status', '=', 'open')
  .orderBy('place');
const openOrdersOfBook = prepared<OfStrategy>()((param) =>
  openOrderRows.where('strategy_id', '=', param('strategyId')),
);
const allBookRows = prepared<object>()(() =>
  build.selectFrom('books').selectAll().orderBy('strategy_id'),
);
const allPositionRows = prepared<object>()(() => positionRows);
const allOpenOrderRows = prepared<object>()(() => openOrderRows);

/** Written out: millions are read at a start. */
const positionOf = (row: Database['positions']): Position => ({
  stockId: id(row.stock_id),
  amount: decimal(row.amount),
  averagePrice: decimal(row.average_price),
  cost:
    row.cost === null
      ? round18(decimal(row.average_price).times(decimal(row.amount)))
      : decimal(row.cost),
  realized: decimal(row.realized),
  dividends: row.dividends === null ? ZERO : decimal(row.dividends),
  createdAt: row.created_at,
  updatedAt: row.updated_at,
});

const bookOf = (
  row: BookRow,
  positions: ReadonlyMap<StockId, Position>,
  openOrders: readonly OpenOrder[],
): Book => ({
  strategyId: id(row.strategy_id),
  version: row.version,
  cash: decimal(row.cash),
  positions,
  openOrders,
});

/** As the session sees it: from memory when it is there. */
export const findBook = (session: Session, strategyId: StrategyId): Answer<Book | undefined> =>
  session.records.get('books', strategyId) ?? loadBook(session, strategyId);

async function loadBook(session: Session, strategyId: StrategyId): Promise<Book | undefined> {
  const row = await session.row(bookRow({ strategyId }));
  if (!row) return undefined;
  const positions = (await session.rows(positionsOfBook({ strategyId }))).map(positionOf);
  const book = bookOf(
    row,
    new Map(positions.map((position) => [position.stockId, position])),
    (await session.rows(openOrdersOfBook({ strategyId }))).map(openOrderOf),
  );
  session.records.read('books', strategyId, book);
  return book;
}

/** The value of that key, made when it is missing. */
function valueOf<Value>(map: Map<string, Value>, key: string, make: () => Value): Value {
  const known = map.get(key);
  if (known !== undefined) return known;
  const made = make();
  map.set(key, made);
  return made;
}

export async function allBooks(session: Session): Promise<Book[]> {
  const positions = new Map<string, Map<StockId, Position>>();
  await session.each(allPositionRows({}), (row) => {
    const position = positionOf(row);
    valueOf(positions, row.strategy_id, () => new Map()).set(position.stockId, position);
  });
  const orders = new Map<string, OpenOrder[]>();
  await session.each(allOpenOrderRows({}), (row) => {
    valueOf(orders, row.strategy_id, () => []).push(openOrderOf(row));
  });
  return (await session.rows(allBookRows({}))).map((row) => {
    const known = session.records.get('books', row.strategy_id);
    if (known) return known;
    const book = bookOf(
      row,
      positions.get(row.strategy_id) ?? new Map(),
      orders.get(row.strategy_id) ?? [],
    );
    session.records.read('books', book.strategyId, book);
    return book;
  });
}
