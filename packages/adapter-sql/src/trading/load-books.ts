import {
  type Book,
  type OpenOrder,
  PACKED_SEPARATOR,
  type PackedBook,
  type StrategyId,
  decimal,
  id,
  unpackBook,
} from '@slipstream/domain';
import type { KnownVersions } from '@slipstream/ports';
import { sql } from 'kysely';
import { openOrderOf } from './order-row.js';
import type { Answer } from '../storage/answer.js';
import { inChunks } from '../storage/lists.js';
import { build, once, prepared } from '../storage/queries.js';
import type { Session } from '../storage/session.js';
import type { BookRow, OrderRow } from './columns.js';

type OfStrategy = { readonly strategyId: StrategyId };

/** The database packs the positions: a row of text for each of millions would take several times as long. */
const packedRows = build.selectFrom('books').select(({ selectFrom }) => [
  'books.strategy_id',
  'books.version',
  'books.cash',
  selectFrom('positions')
    .whereRef('positions.strategy_id', '=', 'books.strategy_id')
    .select(
      sql<
        string | null
      >`string_agg(concat_ws(${PACKED_SEPARATOR}, stock_id, amount, average_price, coalesce(cost, ''),
        realized, coalesce(dividends, ''), created_at, updated_at), ${PACKED_SEPARATOR} order by place)`.as(
        'packed',
      ),
    )
    .as('positions'),
]);
interface PackedRow extends BookRow {
  readonly positions: string | null;
}
const packedRow = prepared<OfStrategy>()((param) =>
  packedRows.where('books.strategy_id', '=', param('strategyId')),
);
const openOrderRows = build
  .selectFrom('orders')
  .selectAll()
  .where('status', '=', 'open')
  .orderBy('place');
const openOrdersOfBook = prepared<OfStrategy>()((param) =>
  openOrderRows.where('strategy_id', '=', param('strategyId')),
);
const allPackedRows = prepared<object>()(() => packedRows.orderBy('books.strategy_id'));
const allVersions = prepared<object>()(() =>
  build.selectFrom('books').select(['strategy_id', 'version']),
);
const allOpenOrderRows = prepared<object>()(() => openOrderRows);

const packedBookOf = (row: PackedRow, openOrders: readonly OpenOrder[]): PackedBook => ({
  strategyId: id(row.strategy_id),
  version: row.version,
  cash: decimal(row.cash),
  positions: row.positions ?? '',
  openOrders,
});

/** As the session sees it: from memory when it is there. */
export const findBook = (session: Session, strategyId: StrategyId): Answer<Book | undefined> =>
  session.records.get('books', strategyId) ?? loadBook(session, strategyId);

async function loadBook(session: Session, strategyId: StrategyId): Promise<Book | undefined> {
  const row = await session.row(packedRow({ strategyId }));
  if (!row) return undefined;
  const orders = await session.all(openOrdersOfBook({ strategyId }), openOrderOf);
  const book = unpackBook(packedBookOf(row, orders));
  session.records.read('books', strategyId, book);
  return book;
}

const NO_ORDERS: readonly OpenOrder[] = [];

/** Adds the order to those of its strategy. */
function keepOrder(orders: Map<string, OpenOrder[]>, row: OrderRow): void {
  const known = orders.get(row.strategy_id);
  if (known) known.push(openOrderOf(row));
  else orders.set(row.strategy_id, [openOrderOf(row)]);
}

export async function allBooks(session: Session): Promise<PackedBook[]> {
  const orders = new Map<string, OpenOrder[]>();
  await session.each(allOpenOrderRows({}), (row) => keepOrder(orders, row));
  const books: PackedBook[] = [];
  await session.each(allPackedRows({}), (row) => {
    books.push(packedBookOf(row, orders.get(row.strategy_id) ?? NO_ORDERS));
  });
  return books;
}

/** Those that are not stored in the version that is known. */
export async function otherBooks(session: Session, known: KnownVersions): Promise<PackedBook[]> {
  const others: StrategyId[] = [];
  await session.each(allVersions({}), ({ strategy_id: strategyId, version }) => {
    if (known.get(id(strategyId)) !== version) others.push(id(strategyId));
  });
  const orders = new Map<string, OpenOrder[]>();
  const open = await inChunks(others, (some) =>
    session.rows(once(openOrderRows.where('strategy_id', 'in', some))),
  );
  for (const row of open) keepOrder(orders, row);
  const rows = await inChunks(others, (some) =>
    session.rows(
      once(packedRows.where('books.strategy_id', 'in', some).orderBy('books.strategy_id')),
    ),
  );
  return rows.map((row) => packedBookOf(row, orders.get(row.strategy_id) ?? NO_ORDERS));
}
