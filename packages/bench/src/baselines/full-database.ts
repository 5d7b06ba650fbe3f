import { migrateSqlite } from '@slipstream/adapter-sql';
import { type Book, type Stock, decimal } from '@slipstream/domain';
import type { ManyStrategies } from '../many-strategies.js';
import { openHandle } from '@slipstream/adapter-sql/testing';

/** The servers of the bench run on quotes that are sent to them, so no start opens another segment. */
const SEGMENTS = JSON.stringify([
  { kind: 'supplied', reason: 'created', startedAt: 0, startValue: '1', jump: null, end: null },
]);

/** Columns are named, so that a new column with a default changes nothing here. */
const ADD_STRATEGY = `INSERT INTO strategies
  (id, product_id, user_id, type, private, name, description, categories, price, invited_user_ids, segments, created_at, updated_at)
  VALUES (?, 'p1', 'u1', 'stock', 0, 'bench', '', '[]', 0, '[]', '${SEGMENTS}', 0, 0)`;

/** A database with the product's schema, the strategies, and a quote of every stock. */
export function makeFullDatabase(file: string, { stocks, books }: ManyStrategies): void {
  migrateSqlite(file);
  const handle = openHandle(file);
  const stock = handle.prepare(
    `INSERT INTO stocks (id, figi_composite, symbol, stock, name, sector, security, exchange, peg, provider, slippage,
       fee, links, status) VALUES (?, NULL, ?, ?, ?, '', 'stock', 'NYSE', 'USD', 'bench', '0', '0', '{}', 'active')`,
  );
  const quote = handle.prepare(
    `INSERT INTO quotes (stock_id, bid, ask, last, at) VALUES (?, '100', '100.01', '100', 0)`,
  );
  const strategy = handle.prepare(ADD_STRATEGY);
  const book = handle.prepare('INSERT INTO books (strategy_id, version, cash) VALUES (?, ?, ?)');
  const position = handle.prepare(
    `INSERT INTO positions (strategy_id, stock_id, amount, average_price, realized, created_at, updated_at)
     VALUES (?, ?, ?, ?, ?, 0, 0)`,
  );
  const add = {
    stock: ({ id, symbol, stock: ticker, name }: Stock) => {
      stock.run(id, symbol, ticker, name);
      quote.run(id);
    },
    book: ({ strategyId, version, cash, positions }: Book) => {
      strategy.run(strategyId);
      book.run(strategyId, version, cash.toFixed());
      for (const { stockId, amount, averagePrice, realized } of positions.values())
        position.run(
          strategyId,
          stockId,
          amount.toFixed(),
          averagePrice.toFixed(),
          realized.toFixed(),
        );
    },
  };
  handle.transaction(() => {
    stocks.forEach(add.stock);
    books.forEach(add.book);
  })();
  handle.close();
}

interface PositionRow {
  readonly strategy_id: string;
  readonly stock_id: string;
  readonly amount: string;
  readonly average_price: string;
  readonly realized: string;
}

/** The baseline of P18: reads all rows of the same tables with their decimals, and does nothing else. */
export function readBare(file: string): number {
  const handle = openHandle(file, { readonly: true });
  const all = (table: string) => handle.prepare(`SELECT * FROM ${table}`).all();
  const books = new Map(
    (all('books') as { strategy_id: string; cash: string }[]).map(({ strategy_id: id, cash }) => [
      id,
      { cash: decimal(cash), positions: [] as object[] },
    ]),
  );
  for (const row of all('positions') as PositionRow[])
    books.get(row.strategy_id)?.positions.push({
      stockId: row.stock_id,
      amount: decimal(row.amount),
      averagePrice: decimal(row.average_price),
      cost: decimal(row.average_price).times(decimal(row.amount)),
      realized: decimal(row.realized),
      dividends: decimal('0'),
    });
  const others = ['strategies', 'stocks', 'quotes', 'orders'].map((table) => all(table).length);
  handle.close();
  return books.size + others.length;
}
