import {
  type Book,
  type OpenOrder,
  type Position,
  type StrategyId,
  decimal,
  id,
} from '@slipstream/domain';
import { openOrderOf } from '../order-row.js';
import { build, prepared } from '../queries.js';
import type { Session } from '../session.js';
import { type BookRow, positionColumns } from '../tables.js';

type OfStrategy = { readonly strategyId: StrategyId };

const bookRow = prepared<OfStrategy>()((slot) =>
  build.selectFrom('books').selectAll().where('strategy_id', '=', slot('strategyId')),
);
const positionRows = build.selectFrom('positions').selectAll().orderBy('place');
const positionsOfBook = prepared<OfStrategy>()((slot) =>
  positionRows.where('strategy_id', '=', slot('strategyId')),
);
const openOrderRows = build
  .selectFrom('orders')
  .selectAll()
  .where('status', '=', 'open')
  .orderBy('place');
const openOrdersOfBook = prepared<OfStrategy>()((slot) =>
  openOrderRows.where('strategy_id', '=', slot('strategyId')),
);
const allBookRows = prepared<object>()(() =>
  build.selectFrom('books').selectAll().orderBy('strategy_id'),
);
const allPositionRows = prepared<object>()(() => positionRows);
const allOpenOrderRows = prepared<object>()(() => openOrderRows);

function positionOf(row: object): Position {
  const { strategyId: _, ...position } = positionColumns.load(row);
  return position;
}

const bookOf = (
  row: BookRow,
  positions: readonly Position[],
  openOrders: readonly OpenOrder[],
): Book => ({
  strategyId: id(row.strategy_id),
  version: row.version,
  cash: decimal(row.cash),
  positions: new Map(positions.map((position) => [position.stockId, position])),
  openOrders,
});

function byStrategy<Row extends { readonly strategy_id: string }>(
  rows: readonly Row[],
): ReadonlyMap<string, readonly Row[]> {
  const groups = new Map<string, Row[]>();
  for (const row of rows) {
    const group = groups.get(row.strategy_id);
    if (group) group.push(row);
    else groups.set(row.strategy_id, [row]);
  }
  return groups;
}

/** As the session sees it: from memory when it is there. */
export function findBook(session: Session, strategyId: StrategyId): Book | undefined {
  const known = session.records.get('books', strategyId);
  if (known) return known;
  const row = session.row(bookRow({ strategyId }));
  if (!row) return undefined;
  const book = bookOf(
    row,
    session.rows(positionsOfBook({ strategyId })).map(positionOf),
    session.rows(openOrdersOfBook({ strategyId })).map(openOrderOf),
  );
  session.records.read('books', book.strategyId, book);
  return book;
}

export function allBooks(session: Session): Book[] {
  const positions = byStrategy(session.rows(allPositionRows({})));
  const orders = byStrategy(session.rows(allOpenOrderRows({})));
  return session.rows(allBookRows({})).map((row) => {
    const known = session.records.get('books', row.strategy_id);
    if (known) return known;
    const book = bookOf(
      row,
      (positions.get(row.strategy_id) ?? []).map(positionOf),
      (orders.get(row.strategy_id) ?? []).map(openOrderOf),
    );
    session.records.read('books', book.strategyId, book);
    return book;
  });
}
