import { chmodSync, closeSync, existsSync, mkdirSync, openSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname } from 'node:path';
import type BetterSqlite from 'better-sqlite3';
import { codeOf } from './failures.js';
import { UnusableDatabase, damaged, usable } from './own-file.js';

/** What npm installs for this Node ([0035](../../../../docs/adr/0035-two-drivers.md)). */
const DRIVER = Number(process.versions['napi']) >= 10 ? 'better-sqlite3-napi' : 'better-sqlite3';

/** Says how to get a driver: npm leaves each out for the other Nodes, also where one of them is started later. */
export const notInstalled = (driver: typeof DRIVER): string =>
  driver === 'better-sqlite3-napi'
    ? `${driver} is not installed: the packages were installed by a Node before 22.14; install them again with this one (${process.version})`
    : `${driver} is not installed: before Node 22.14 npm compiles it, which needs python3, make and g++; then install again`;

/**
 * A connection to the file, or to a database in memory, as the driver has it.
 * @throws {UnusableDatabase} when the driver was not installed.
 */
export function openHandle(
  path: string | Buffer,
  options?: BetterSqlite.Options,
): BetterSqlite.Database {
  let Driver: typeof BetterSqlite;
  try {
    Driver = createRequire(import.meta.url)(DRIVER) as typeof BetterSqlite;
  } catch (error) {
    if (codeOf(error) !== 'MODULE_NOT_FOUND') throw error;
    throw new UnusableDatabase(notInstalled(DRIVER));
  }
  return new Driver(path, options);
}

const IN_MEMORY = ':memory:';
export const isInMemory = (path: string): boolean => path === IN_MEMORY;

/** Dynamic queries (lists of ids) come in many lengths: beyond this many, the prepared statements are let go. */
const MAX_STATEMENTS = 500;

/** One connection and its prepared statements. */
export interface Connection {
  readonly handle: BetterSqlite.Database;
  /** False after SQLite rolled back by itself: from then on each statement would commit alone. */
  readonly inTransaction: boolean;
  statement(sql: string): BetterSqlite.Statement<unknown[]>;
}

export function connectionOn(handle: BetterSqlite.Database): Connection {
  const statements = new Map<string, BetterSqlite.Statement<unknown[]>>();
  return {
    handle,
    get inTransaction() {
      return handle.inTransaction;
    },
    statement(sql) {
      const known = statements.get(sql);
      if (known) return known;
      if (statements.size >= MAX_STATEMENTS) statements.clear();
      const statement = handle.prepare<unknown[]>(sql);
      statements.set(sql, statement);
      return statement;
    },
  };
}

/**
 * Makes the folder, for its owner only, with those above it. One at a time: Node's `recursive` never ends where nothing
 * can be made, as in /proc.
 */
export function makePrivateFolder(path: string): void {
  if (existsSync(path)) return;
  makePrivateFolder(dirname(path));
  try {
    mkdirSync(path, 0o700);
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') throw error;
  }
}

/**
 * Makes the file, for its owner only, when it is not there. A file that is there is not opened: closing it again would
 * drop the locks that this process may hold on it.
 */
export function makePrivateFile(path: string): void {
  makePrivateFolder(dirname(path));
  try {
    closeSync(openSync(path, 'wx', 0o600));
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') throw error;
    chmodSync(path, 0o600);
  }
}

/** The commit that fills the log copies it into the file: 7.5 us a page at most, so 2,000 hold for 15 ms. */
export const LOG_PAGES = 2000;

/** From now on the log is full with so many pages. */
export function holdInLog(writer: BetterSqlite.Database, pages: number): void {
  writer.pragma(`wal_autocheckpoint = ${pages}`);
}

/** The connection that writes. `timeout: 0`: the driver's own wait would block the event loop. */
export function openWriter(path: string, { isReproducible = false } = {}): BetterSqlite.Database {
  const handle = usable(path, () => {
    if (!isInMemory(path)) makePrivateFile(path);
    return openHandle(path, { timeout: 0 });
  });
  usable(path, () => handle.pragma('journal_mode = WAL'));
  // At every open: a WAL file that is opened again falls back to NORMAL.
  handle.pragma(`synchronous = ${isReproducible ? 'OFF' : 'FULL'}`);
  holdInLog(handle, LOG_PAGES);
  // 32 MB: with 64 a minute of 100,000 strategies took no less CPU time, and 40 MB more memory.
  handle.pragma('cache_size = -32768');
  // What a savepoint or a trigger may have to undo is kept in memory: else it is written to a file, page by page.
  handle.pragma('temp_store = MEMORY');
  handle.pragma('foreign_keys = ON');
  handle.pragma('trusted_schema = OFF');
  return handle;
}

/** A connection that only reads. */
export function openReader(path: string): BetterSqlite.Database {
  const handle = usable(path, () =>
    openHandle(path, { readonly: true, fileMustExist: true, timeout: 0 }),
  );
  handle.pragma('trusted_schema = OFF');
  return handle;
}

/** Throws when the file is damaged. */
export function requireSound(handle: BetterSqlite.Database): void {
  const found = usable(handle.name, () => handle.pragma('quick_check(1)', { simple: true }));
  if (found !== 'ok') throw new UnusableDatabase(damaged(handle.name, String(found)));
}
