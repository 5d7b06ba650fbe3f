import { AsyncLocalStorage } from 'node:async_hooks';
import type BetterSqlite from 'better-sqlite3';
import { StorageUnavailable, type UnitOfWork } from '@slipstream/ports';
import { type BookCache, bookCache } from './book-cache.js';
import { connectionOn } from './connection.js';
import { groupCommit } from './group-commit.js';
import { snapshots } from './snapshots.js';
import { readStoresOf, storesOf } from './stores.js';

/** A unit of work over open connections, which it closes. */
export interface SqlUnitOfWork extends UnitOfWork {
  /** Commits that wrote something. */
  commits(): number;
  /** Resolves when the works that were asked for are done; later ones are refused. */
  close(): Promise<void>;
}

/** How long a locked database is waited for, in milliseconds, before works are refused. */
export const PATIENCE = 2_000;

export interface Connections {
  readonly writer: BetterSqlite.Database;
  /** Opens a connection for reads; absent when there can be only one connection. */
  readonly openReader?: (() => BetterSqlite.Database) | undefined;
  readonly patience?: number;
  readonly books?: BookCache;
  /** What a group of works waits for before it begins; the next turn of the event loop unless told. */
  readonly turn?: (() => Promise<void>) | undefined;
}

/** Whose work is going on. One for all: each costs every promise of the process. */
const inside = new AsyncLocalStorage<object>();

/** The migrated database of `writer` as a unit of work. */
export function sqlUnitOfWork({
  writer,
  openReader,
  patience = PATIENCE,
  books = bookCache(),
  turn,
}: Connections): SqlUnitOfWork {
  const own = {};
  const group = groupCommit(connectionOn(writer), books, patience, turn);
  const reads = openReader && snapshots(openReader, books, group.commits);
  let closing: Promise<void> | undefined;

  const requireOutside = (): void => {
    if (inside.getStore() === own)
      throw new Error('a unit of work cannot be used inside another one');
    if (closing) throw new StorageUnavailable('the storage is closed');
  };

  const closeAll = async (): Promise<void> => {
    await group.idle();
    await reads?.close();
    writer.close();
  };

  return {
    async run(work) {
      requireOutside();
      return group.run((session) => inside.run(own, () => work(storesOf(session))));
    },
    async read(work) {
      requireOutside();
      // With one connection, reads wait among the works; what they saw is committed when they resolve.
      const execute = reads?.read ?? group.run;
      return execute((session) => inside.run(own, () => work(readStoresOf(session))));
    },
    commits: group.commits,
    close: () => (closing ??= closeAll()),
  };
}
