import { createHash } from 'node:crypto';
import {
  type Adjustment,
  CHAIN_BEGINNING,
  type ChainHead,
  type Decimal,
  type LedgerSum,
  type StockId,
  type StrategyId,
  type TrackEntry,
  type Trade,
  decimal,
  id,
  ledgerSum,
  verifyAudit,
  verifyTrack,
} from '@slipstream/domain';
import { type AuditTables, UnreadableEntry, entryOf } from './audit/columns.js';
import { adjustmentColumns } from './market/columns.js';
import { trackColumns } from './performance/columns.js';
import { openReader } from './storage/connection.js';
import { UnusableDatabase } from './storage/own-file.js';
import { migrations } from './migrations/index.js';
import { postgresMigrations } from './postgres/migrations.js';
import { tradeColumns } from './trading/columns.js';
import { asQuery, connect } from './postgres/client.js';
import { rowsOf } from './postgres/copy-rows.js';

/** What a check of a database's ledgers and chains found. */
export interface CheckedLedgers {
  readonly strategies: number;
  readonly trades: number;
  /** How many entries of track records were verified. */
  readonly entries: number;
  /** The newest entry of the audit log. */
  readonly audit: ChainHead;
  /** What does not agree, in words; empty when all is well. */
  readonly faults: readonly string[];
}

type Row = Readonly<Record<string, unknown>>;
/** Reads the rows of a statement, a few at a time. */
export type ReadRows = (sql: string) => Iterable<Row> | AsyncIterable<Row>;

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

/** Finds the rows that nobody wrote so, and loads the others. */
async function* loaded<Loaded>(
  rows: ReturnType<ReadRows>,
  load: (row: Row) => Loaded,
  unreadable: (row: Row) => void,
): AsyncGenerator<Loaded> {
  for await (const row of rows) {
    let one: Loaded;
    try {
      one = load(row);
    } catch {
      unreadable(row);
      continue;
    }
    yield one;
  }
}

const loadTrade = (row: Row): Trade => tradeColumns.load(row);
const loadAdjustment = (row: Row): Adjustment => adjustmentColumns.load(row);
const loadEntry = (row: Row): TrackEntry => trackColumns.load(row);

interface Held {
  readonly strategyId: StrategyId;
  readonly stockId: StockId;
  readonly amount: Decimal;
}
const loadHeld = ({ strategy_id, stock_id, amount }: Row): Held => ({
  strategyId: id(strategy_id as string),
  stockId: id(stock_id as string),
  amount: decimal(amount as string),
});
const loadCash = ({ strategy_id, cash }: Row) => ({
  strategyId: id<'strategy'>(strategy_id as string),
  cash: decimal(cash as string),
});

/** Every book holds what its trades and adjustments add up to, to the last digit. */
async function checkBooks(read: ReadRows, faults: string[]) {
  const unreadable = (what: string) => (row: Row) =>
    void faults.push(`${what} ${String(row['id'] ?? row['strategy_id'])} cannot be read`);
  const sums = new Map<StrategyId, LedgerSum>();
  const sumOf = (strategyId: StrategyId): LedgerSum => {
    const sum = sums.get(strategyId) ?? ledgerSum();
    sums.set(strategyId, sum);
    return sum;
  };
  let trades = 0;
  for await (const trade of loaded(read('SELECT * FROM trades'), loadTrade, unreadable('trade'))) {
    sumOf(trade.strategyId).trade(trade);
    trades += 1;
  }
  for await (const one of loaded(
    read('SELECT * FROM adjustments'),
    loadAdjustment,
    unreadable('adjustment'),
  ))
    sumOf(one.strategyId).adjustment(one);
  const held = new Map<StrategyId, Map<StockId, Decimal>>();
  for await (const { strategyId, stockId, amount } of loaded(
    read('SELECT strategy_id, stock_id, amount FROM positions'),
    loadHeld,
    unreadable('a position of strategy'),
  ))
    held.set(
      strategyId,
      (held.get(strategyId) ?? new Map<StockId, Decimal>()).set(stockId, amount),
    );
  let strategies = 0;
  for await (const { strategyId, cash } of loaded(
    read('SELECT strategy_id, cash FROM books ORDER BY strategy_id'),
    loadCash,
    unreadable('the book of strategy'),
  )) {
    strategies += 1;
    const said = sumOf(strategyId).faults({ cash, amounts: held.get(strategyId) ?? new Map() });
    faults.push(...said.map((fault) => `the book of strategy ${strategyId}: ${fault}`));
    sums.delete(strategyId);
  }
  for (const strategyId of sums.keys())
    faults.push(`strategy ${strategyId} has trades and no book`);
  return { strategies, trades };
}

/** The chain of every track record is whole. */
async function checkRecords(read: ReadRows, faults: string[]): Promise<number> {
  let entries = 0;
  let record: TrackEntry[] = [];
  const check = (): void => {
    entries += record.length;
    const verdict = verifyTrack(record, sha256);
    if (!verdict.intact)
      faults.push(
        `the track record of strategy ${record[0]?.strategyId ?? ''}, entry ${verdict.seq}: ${verdict.reason}`,
      );
    record = [];
  };
  for await (const row of read('SELECT * FROM track_entries ORDER BY strategy_id, seq')) {
    const entry = loadEntry(row);
    if (record[0] && record[0].strategyId !== entry.strategyId) check();
    record.push(entry);
  }
  check();
  return entries;
}

/** The audit log is one chain, from its beginning or from what went to the archives. */
async function checkAudit(read: ReadRows, faults: string[]): Promise<ChainHead> {
  const archived = new Map<number, string>();
  for await (const row of read('SELECT seq, hash FROM audit_archives')) {
    const { seq, hash } = row as unknown as ChainHead;
    archived.set(seq, hash);
  }
  const newest = Math.max(0, ...archived.keys());
  let head: ChainHead = { seq: newest, hash: archived.get(newest) ?? CHAIN_BEGINNING.hash };
  let isFirst = true;
  try {
    for await (const row of read('SELECT * FROM audit_entries ORDER BY seq')) {
      const entry = entryOf(row as unknown as AuditTables['audit_entries']);
      // Archived entries leave the database some at a time.
      if (isFirst && entry.seq > 1 && entry.seq <= newest)
        head = { seq: entry.seq - 1, hash: archived.get(entry.seq - 1) ?? entry.prevHash };
      else if (isFirst && entry.seq === 1) head = CHAIN_BEGINNING;
      isFirst = false;
      const verdict = verifyAudit(head, [entry], sha256);
      const isArchived = (archived.get(entry.seq) ?? entry.hash) === entry.hash;
      if (!verdict.intact || !isArchived) {
        const reason = verdict.intact ? 'its archive ends otherwise' : verdict.reason;
        faults.push(`the audit log, entry ${entry.seq}: ${reason}`);
        break;
      }
      head = verdict.head;
    }
  } catch (error) {
    if (!(error instanceof UnreadableEntry)) throw error;
    faults.push(`the audit log, entry ${error.seq}: ${error.reason}`);
  }
  return head;
}

/** Checks what a database says of itself, at one moment: books by their ledgers, and the chains of track records and audit log. */
export async function checkLedgers(read: ReadRows): Promise<CheckedLedgers> {
  const faults: string[] = [];
  const books = await checkBooks(read, faults);
  const entries = await checkRecords(read, faults);
  const audit = await checkAudit(read, faults);
  return { ...books, entries, audit, faults };
}

const OTHER_RELEASE = 'the database is of another release: update it with "migrate" first';

/** @throws {UnusableDatabase} when the file has another schema. */
export function requireThisRelease(sqlite: ReturnType<typeof openReader>): void {
  const applied = sqlite.prepare('SELECT count(*) FROM migrations').pluck().get();
  if (applied !== Object.keys(migrations).length) throw new UnusableDatabase(OTHER_RELEASE);
}

/** The same of a SQLite file, also while a server uses it. @throws {UnusableDatabase} when it has another schema. */
export async function checkSqlite(file: string): Promise<CheckedLedgers> {
  const reader = openReader(file);
  try {
    reader.exec('BEGIN');
    requireThisRelease(reader);
    return await checkLedgers((sql) => reader.prepare(sql).iterate() as IterableIterator<Row>);
  } finally {
    reader.close();
  }
}

/** The same of a PostgreSQL database, also while servers use it. @throws {UnusableDatabase} when it has another schema. */
export async function checkPostgres(url: string): Promise<CheckedLedgers> {
  const client = await connect(url, 'slipstream doctor');
  try {
    await client.script('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
    const { count } = await client.query(asQuery('SELECT name FROM migrations'));
    if (count !== Object.keys(postgresMigrations).length) throw new UnusableDatabase(OTHER_RELEASE);
    return await checkLedgers((sql) => rowsOf(client, sql));
  } finally {
    await client.end();
  }
}
