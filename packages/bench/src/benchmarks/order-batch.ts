import { existsSync } from 'node:fs';
import type BetterSqlite from 'better-sqlite3';
import { openSqlite } from '@slipstream/adapter-sql';
import {
  type Book,
  type BookChange,
  type OrderId,
  type WithdrawnOrder,
  decimal,
  id,
  newBook,
} from '@slipstream/domain';
import { Kysely, SqliteDialect } from 'kysely';
import { type Benchmark, benchmark, ratioAtLeast } from '../measure/benchmark.js';
import { cpuNow } from '../measure/cpu.js';
import { makeFrozenDatabase } from '../baselines/frozen-schema.js';
import { type Folder, newFolder } from '../folder.js';

const ORDERS = 10;
const BOOK = id<'strategy'>('s');
let count = 0;

/** Orders that are new and closed at once: ten inserts, and the book does not grow. */
const closedOrders = (): WithdrawnOrder[] =>
  Array.from({ length: ORDERS }, () => ({
    id: id<'order'>(`order-${(count += 1)}`),
    strategyId: BOOK,
    stockId: id('stock-1'),
    action: 'buy',
    pricing: { type: 'limit', price: decimal('123.45') },
    size: { by: 'amount', amount: decimal('0.001234567890123456') },
    dependsOn: [] as OrderId[],
    reduceOnly: false,
    origin: 'plan',
    createdAt: 1_750_000_000_000,
    triggeredAt: null,
    status: 'cancelled',
    closedAt: 1_750_000_000_001,
    reason: 'replaced by newOrderAllocations',
  }));

/** The columns of an unfilled order, as the product stores them. */
const rowOf = (order: WithdrawnOrder) => ({
  id: order.id,
  strategy_id: order.strategyId,
  stock_id: order.stockId,
  action: order.action,
  type: order.pricing.type,
  price: order.pricing.type === 'limit' ? order.pricing.price.toFixed() : null,
  stop_price: null,
  amount: order.size.by === 'amount' ? order.size.amount.toFixed() : null,
  total: null,
  reduce_only: 0,
  origin: order.origin,
  created_at: order.createdAt,
  depends_on: JSON.stringify(order.dependsOn),
  triggered_at: null,
  status: order.status,
  resting_since: null,
  closed_at: order.closedAt,
  filled_price: null,
  filled_amount: null,
  filled_total: null,
  fee_total: null,
  reason: order.reason,
});
type OrderRow = ReturnType<typeof rowOf>;

/** Runs one batch. */
type Batch = () => Promise<void> | void;

async function productBatch(folder: Folder) {
  const storage = await openSqlite({ path: folder.file('product.db') });
  let book: Book = newBook(BOOK);
  await storage.run((stores) => stores.books.save(book, []));
  const batch: Batch = async () => {
    const changes: BookChange[] = closedOrders().map((order) => ({ kind: 'cancelled', order }));
    const next = { ...book, version: book.version + 1 };
    await storage.run((stores) => stores.books.save(next, changes));
    book = next;
  };
  return { batch, close: () => storage.close() };
}

/** A database with the frozen schema and the book, opened with the product's pragmas. */
function openBare(file: string): BetterSqlite.Database {
  const handle = makeFrozenDatabase(file);
  for (const pragma of [
    'journal_mode = WAL',
    'synchronous = FULL',
    'wal_autocheckpoint = 2000',
    'foreign_keys = ON',
  ])
    handle.pragma(pragma);
  handle.prepare(`INSERT INTO books (strategy_id, version, cash) VALUES (?, 0, '1')`).run(BOOK);
  return handle;
}

function preparedBatch(folder: Folder) {
  const handle = openBare(folder.file('prepared.db'));
  const names = Object.keys(rowOf(closedOrders()[0] as WithdrawnOrder));
  const insert = handle.prepare(
    `INSERT INTO orders (${names.join(', ')}) VALUES (${names.map(() => '?').join(', ')})`,
  );
  const update = handle.prepare('UPDATE books SET version = version + 1 WHERE strategy_id = ?');
  const write = handle.transaction((rows: readonly OrderRow[]) => {
    for (const row of rows) insert.run(Object.values(row));
    update.run(BOOK);
  });
  const batch: Batch = () => void write.immediate(closedOrders().map(rowOf));
  return { batch, close: async () => void handle.close() };
}

interface Tables {
  orders: OrderRow;
  books: { strategy_id: string; version: number };
}

function kyselyBatch(folder: Folder) {
  const database = new Kysely<Tables>({
    dialect: new SqliteDialect({ database: openBare(folder.file('kysely.db')) }),
  });
  const batch: Batch = () =>
    database.transaction().execute(async (transaction) => {
      for (const order of closedOrders())
        await transaction.insertInto('orders').values(rowOf(order)).execute();
      await transaction
        .updateTable('books')
        .set((row) => ({ version: row('version', '+', 1) }))
        .where('strategy_id', '=', BOOK)
        .execute();
    });
  return { batch, close: () => database.destroy() };
}

async function batches(batch: Batch, seconds: number) {
  const [begun, cpu] = [performance.now(), cpuNow()];
  let done = 0;
  while (performance.now() - begun < seconds * 1000) {
    await batch();
    done += 1;
  }
  return { rate: (done * 1000) / (performance.now() - begun), cpu: (cpuNow() - cpu) / done };
}

type Opened = { readonly batch: Batch; close(): Promise<void> };

const batchBenchmark = (
  id: string,
  baseline: string,
  gate: Benchmark['lines'][number]['gate'],
  folderOf: () => Folder,
  open: (folder: Folder) => Opened,
): Benchmark =>
  benchmark(
    id,
    [{ what: 'batches of 10 orders + 1 update a second', baseline, gate }],
    async ({ quick }) => {
      const folder = folderOf();
      const [product, other] = [await productBatch(folder), open(folder)];
      const seconds = quick ? 0.5 : 3;
      for (const { batch } of [product, other]) await batches(batch, seconds / 3);
      return {
        async round() {
          const baselines = await batches(other.batch, seconds);
          const { rate, cpu } = await batches(product.batch, seconds);
          return [
            {
              figure: rate,
              baseline: baselines.rate,
              cpu: { figure: cpu, baseline: baselines.cpu },
            },
          ];
        },
        async close() {
          await product.close();
          await other.close();
          folder.remove();
        },
      };
    },
  );

/** The same without the cost of fsync, with synchronous=NORMAL: only the work of the program remains. */
const IN_MEMORY = '/dev/shm';

export const orderBatchBenchmarks: readonly Benchmark[] = [
  batchBenchmark(
    'P5',
    'prepared loop by hand, same pragmas',
    ratioAtLeast(0.7),
    newFolder,
    preparedBatch,
  ),
  batchBenchmark(
    'P6',
    'kysely transaction(); both where fsync is free',
    ratioAtLeast(1.8),
    () => (existsSync(IN_MEMORY) ? newFolder(IN_MEMORY) : newFolder()),
    kyselyBatch,
  ),
];
