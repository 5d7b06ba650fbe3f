import { unitOfWorkContract } from '@slipstream/port-contracts';
import type { Storage } from '@slipstream/ports';
import BetterSqlite from 'better-sqlite3';
import { logSync } from '../src/commits/log-sync.js';
import { WriterThread } from '../src/commits/writer-thread.js';
import { LOG_PAGES, openReader, openWriter } from '../src/storage/connection.js';
import { openSqlite } from '../src/index.js';
import { inMemoryDatabase } from '../src/testing/index.js';
import { sqlUnitOfWork } from '../src/storage/unit-of-work.js';
import { noCache } from './storage/no-cache.js';
import { migratedPaths } from './storage/temporary-folder.js';

const { image: migrated, newPath } = migratedPaths();

/** A work that waits for another one is given up after that many milliseconds. */
const lockTimeout = 500;

const turn = () => new Promise<void>((resolve) => setImmediate(resolve));

/** A database whose commits fail while it is full. */
const openFillable = async () => {
  let isFull = false;
  const database = inMemoryDatabase(migrated);
  const storage = database.open({
    gate: (sql, execute) => {
      if (isFull && sql === 'COMMIT')
        throw Object.assign(new Error('database or disk is full'), { code: 'SQLITE_FULL' });
      return execute();
    },
    turn,
    sync: turn,
    onLost: () => undefined,
  });
  return {
    storage,
    fill: () => {
      isFull = true;
    },
    makeRoom: () => {
      isFull = false;
    },
  };
};

/** The files of the storages that a test opened, to open them again. */
const files = new WeakMap<Storage, string>();

unitOfWorkContract('SQLite in a file', {
  open: async () => {
    const path = newPath();
    const storage = await openSqlite({ path, patience: lockTimeout });
    files.set(storage, path);
    return storage;
  },
  reopen: async (storage) => {
    await storage.close();
    return openSqlite({ path: files.get(storage) ?? '', patience: lockTimeout });
  },
  openFillable,
});
unitOfWorkContract('SQLite on a slow disk', {
  open: async () => {
    const path = newPath();
    const writer = openWriter(path);
    const sync = { duration: () => 5, now: turn, later: turn, close: () => undefined };
    return sqlUnitOfWork({ writer, openReader: () => openReader(path), sync, lockTimeout });
  },
});
unitOfWorkContract('SQLite whose transactions are made in a thread', {
  open: async () => {
    const path = newPath();
    const writer = openWriter(path);
    const carrier = new WriterThread(path, () => LOG_PAGES);
    await carrier.start();
    const sync = logSync(writer, path);
    const openRead = () => openReader(path);
    return sqlUnitOfWork({
      writer,
      openReader: openRead,
      sync,
      carrier,
      carriedFrom: 1,
      lockTimeout,
    });
  },
});
unitOfWorkContract('SQLite in memory', {
  open: async () => {
    const writer = new BetterSqlite(migrated);
    writer.pragma('foreign_keys = ON');
    return sqlUnitOfWork({ writer, lockTimeout });
  },
});
unitOfWorkContract('SQLite without records in memory, lists reversed where no order is asked for', {
  open: async () => {
    const path = newPath();
    const reversed = (handle: BetterSqlite.Database) => {
      handle.pragma('reverse_unordered_selects = ON');
      return handle;
    };
    const writer = reversed(openWriter(path));
    return sqlUnitOfWork({
      writer,
      openReader: () => reversed(openReader(path)),
      records: noCache,
      lockTimeout,
    });
  },
});
