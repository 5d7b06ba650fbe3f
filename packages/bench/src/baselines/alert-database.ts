import { createHash, randomUUID } from 'node:crypto';
import type BetterSqlite from 'better-sqlite3';
import { ADD_FROZEN_STRATEGY, makeFrozenDatabase } from './frozen-schema.js';
import { openHandle } from '@slipstream/adapter-sql/testing';

/** An alert as it arrives. */
export interface AlertBody {
  readonly strategy_id: string;
  readonly stock_id: string;
  readonly action: string;
  readonly leverage: number;
  readonly api_token: string;
}

const PRICE = 100;

const digestOf = (token: string): string => createHash('sha256').update(token).digest('base64url');

/** A database with the frozen schema, and strategies that have only cash. */
export function makeAlertDatabase(
  file: string,
  token: string,
  strategyIds: readonly string[],
): void {
  const handle = makeFrozenDatabase(file);
  const fill = handle.transaction(() => {
    handle
      .prepare(
        `INSERT INTO tokens (id, user_id, type, name, scope, digest, created_at)
         VALUES ('t1', 'u1', 'api', 'bench', '["*"]', ?, 0)`,
      )
      .run(digestOf(token));
    const strategy = handle.prepare(ADD_FROZEN_STRATEGY);
    const book = handle.prepare(
      `INSERT INTO books (strategy_id, version, cash) VALUES (?, 0, '1')`,
    );
    for (const id of strategyIds) {
      strategy.run(id);
      book.run(id);
    }
  });
  fill();
  handle.close();
}

/** Handles alerts, each in its own transaction or inside the caller's. */
export interface AlertDatabase {
  readonly handle: BetterSqlite.Database;
  take(alert: AlertBody): object;
  readonly transaction: BetterSqlite.Transaction<(alert: AlertBody) => object>;
}

interface Held {
  readonly amount: string;
}
interface Head {
  readonly seq: number;
  readonly hash: string;
}
const headOf = (row: unknown): Head => (row as Head | undefined) ?? { seq: 0, hash: '' };

/**
 * The statements of one alert, prepared by hand: the caller, the strategy's owner, its book, the filled order, its trade,
 * the position, the sample of the value and its day, the inbox, the track record, the audit log. It writes the same rows as the product
 * did when its schema was frozen, and reads the data that the product caches. Prices and sizes are floats, which is less work than the product does.
 */
export function alertDatabase(file: string): AlertDatabase {
  const handle = openHandle(file);
  for (const pragma of [
    'journal_mode = WAL',
    'synchronous = FULL',
    'wal_autocheckpoint = 10000',
    'foreign_keys = ON',
  ])
    handle.pragma(pragma);
  const run = (sql: string) => handle.prepare(sql);
  const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');
  const statements = {
    token: run('SELECT * FROM tokens WHERE digest = ?'),
    strategy: run('SELECT * FROM strategies WHERE id = ?'),
    book: run('SELECT * FROM books WHERE strategy_id = ?'),
    positions: run('SELECT * FROM positions WHERE strategy_id = ? ORDER BY place'),
    duplicate: run(
      `SELECT * FROM alerts WHERE strategy_id = ? AND created_at >= ? AND fingerprint = ? AND answer IS NOT NULL
       ORDER BY created_at DESC, id DESC LIMIT 1`,
    ),
    lastBucket: run(
      'SELECT * FROM value_buckets WHERE strategy_id = ? ORDER BY start DESC LIMIT 1',
    ),
    day: run('SELECT * FROM value_days WHERE strategy_id = ?'),
    trackHead: run(
      'SELECT seq, hash FROM track_entries WHERE strategy_id = ? ORDER BY seq DESC LIMIT 1',
    ),
    auditHead: run('SELECT seq, hash FROM audit_entries ORDER BY seq DESC LIMIT 1'),
    addTrack: run(
      `INSERT INTO track_entries (strategy_id, seq, kind, at, body, previous_hash, hash)
       VALUES (?, ?, 'trade', ?, ?, ?, ?)`,
    ),
    addAudit: run(
      `INSERT INTO audit_entries (seq, at, actor, token_id, ip, action, objects, outcome, code, request_id, prev_hash, hash)
       VALUES (?, ?, 'u1', ?, '127.0.0.1', 'newOrderWebhook', ?, 'ok', NULL, ?, ?, ?)`,
    ),
    saveBook: run('UPDATE books SET version = ?, cash = ? WHERE strategy_id = ? AND version = ?'),
    savePosition: run(
      `INSERT INTO positions (strategy_id, stock_id, amount, average_price, realized, created_at, updated_at)
       VALUES (?, ?, ?, ?, '0', ?, ?) ON CONFLICT (strategy_id, stock_id) DO UPDATE SET amount = excluded.amount`,
    ),
    removePosition: run('DELETE FROM positions WHERE strategy_id = ? AND stock_id = ?'),
    addOrder: run(
      `INSERT INTO orders (id, strategy_id, stock_id, action, type, price, stop_price, amount, total, reduce_only,
         origin, created_at, depends_on, triggered_at, status, resting_since, closed_at, filled_price, filled_amount,
         filled_total, fee_total, reason)
       VALUES (?, ?, ?, ?, 'market', NULL, NULL, ?, NULL, 0, 'plan', ?, '[]', NULL, 'filled', NULL, ?, ?, ?, ?, '0', NULL)`,
    ),
    addTrade: run(
      `INSERT INTO trades (id, order_id, strategy_id, stock_id, action, price, amount, total, fee_total, rounding,
         strategy_value, created_at)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, '0', '0', ?, ?)`,
    ),
    saveBucket: run(
      `INSERT INTO value_buckets (strategy_id, start, length, last, last_at, high, low, drawdown)
       VALUES (?, ?, 60000, ?, ?, ?, ?, '0') ON CONFLICT (strategy_id, start)
       DO UPDATE SET last = excluded.last, last_at = excluded.last_at`,
    ),
    saveDay: run(
      `INSERT INTO value_days (strategy_id, last, last_at, high, low, drawdown, gross, held_for, is_recorded)
       VALUES (?, ?, ?, ?, ?, '0', ?, ?, 0) ON CONFLICT (strategy_id)
       DO UPDATE SET last = excluded.last, last_at = excluded.last_at, gross = excluded.gross, held_for = excluded.held_for`,
    ),
    addAlert: run(
      `INSERT INTO alerts (id, user_id, token_id, strategy_id, stock_id, alert_id, verdict, reason, order_id, body,
         fingerprint, answer, created_at)
       VALUES (?, 'u1', ?, ?, ?, NULL, 'accepted', NULL, ?, ?, ?, ?, ?)`,
    ),
  };

  /** Reads and writes the rows of an alert inside the caller's transaction. Returns the answer to the sender. */
  function take(alert: AlertBody): object {
    const { strategy_id: strategyId, stock_id: stockId, api_token: token, ...rest } = alert;
    const caller = statements.token.get(digestOf(token)) as
      | { id: string; user_id: string }
      | undefined;
    const strategy = statements.strategy.get(strategyId) as { user_id: string } | undefined;
    if (!caller || strategy?.user_id !== caller.user_id) throw new Error('authentication failed');
    const now = Date.now();
    const body = JSON.stringify({ strategyId, stockId, ...rest });
    const fingerprint = digestOf(body);
    statements.duplicate.get(strategyId, now - 30_000, fingerprint);
    const book = statements.book.get(strategyId) as { version: number; cash: string };
    const [held] = statements.positions.all(strategyId) as Held[];
    statements.lastBucket.get(strategyId);
    statements.day.get(strategyId);
    const isClose = alert.action === 'close';
    const amount = isClose
      ? Number(held?.amount ?? 0)
      : (alert.leverage * Number(book.cash)) / PRICE;
    const [price, total, text] = [String(PRICE), String(amount * PRICE), String(amount)];
    const cash = String(Number(book.cash) + (isClose ? amount : -amount) * PRICE);
    const [orderId, action] = [randomUUID(), isClose ? 'sell' : 'buy'];
    statements.addOrder.run(
      orderId,
      strategyId,
      stockId,
      action,
      text,
      now,
      now,
      price,
      text,
      total,
    );
    statements.addTrade.run(
      randomUUID(),
      orderId,
      strategyId,
      stockId,
      action,
      price,
      text,
      total,
      '1',
      now,
    );
    statements.saveBook.run(book.version + 1, cash, strategyId, book.version);
    if (isClose) statements.removePosition.run(strategyId, stockId);
    else statements.savePosition.run(strategyId, stockId, text, price, now, now);
    const minute = now - (now % 60_000);
    statements.saveBucket.run(strategyId, minute, '1', now, '1', '1');
    const gross = isClose ? '0' : String(amount * PRICE);
    statements.saveDay.run(strategyId, '1', now, '1', '1', gross, now % 86_400_000);
    const before = headOf(statements.trackHead.get(strategyId));
    const tradeText = JSON.stringify({ orderId, stockId, action, price, amount: text, total });
    const trackHash = sha256(`${before.hash}\n${strategyId}\n${before.seq + 1}\n${tradeText}`);
    statements.addTrack.run(strategyId, before.seq + 1, now, tradeText, before.hash, trackHash);
    const answer = {
      order_id: orderId,
      strategy_id: strategyId,
      stock_id: stockId,
      symbol: 'AAPL',
      action,
      type: 'market',
      amount: text,
      filled_price: price,
      filled_amount: text,
      filled_total: total,
      order_dependencies: [],
      order_status: 'filled',
      created_at: new Date(now).toISOString(),
      updated_at: new Date(now).toISOString(),
    };
    statements.addAlert.run(
      randomUUID(),
      caller.id,
      strategyId,
      stockId,
      orderId,
      body,
      fingerprint,
      JSON.stringify(answer),
      now,
    );
    const last = headOf(statements.auditHead.get());
    const objects = JSON.stringify([`strategy:${strategyId}`, `order:${orderId}`]);
    const requestId = randomUUID();
    const auditHash = sha256(`${last.hash}\n${last.seq + 1}\n${now}\n${objects}\n${requestId}`);
    statements.addAudit.run(last.seq + 1, now, caller.id, objects, requestId, last.hash, auditHash);
    return { success: true, response: answer };
  }
  return { handle, take, transaction: handle.transaction(take) };
}

/** The number of rows in each table that an alert writes. */
export function alertRows(file: string): Readonly<Record<string, number>> {
  const handle = openHandle(file, { readonly: true });
  try {
    const tables = [
      'orders',
      'trades',
      'positions',
      'value_buckets',
      'alerts',
      'track_entries',
      'audit_entries',
    ];
    return Object.fromEntries(
      tables.map((table) => [
        table,
        handle.prepare(`SELECT count(*) FROM ${table}`).pluck().get() as number,
      ]),
    );
  } finally {
    handle.close();
  }
}
