import { unitOfWorkContract } from '@slipstream/port-contracts';
import type { Storage } from '@slipstream/ports';
import type BetterSqlite from 'better-sqlite3';
import { batchOf, makeBatch } from '../src/commits/batch.js';
import type { Carrier } from '../src/commits/sqlite-transaction.js';
import { connectionOn, openReader, openWriter, openHandle } from '../src/storage/connection.js';
import { BatchRefused } from '../src/storage/failures.js';
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

const openFile = async (path: string): Promise<Storage> => {
  const storage = await openSqlite({ path, patience: lockTimeout });
  files.set(storage, path);
  return storage;
};

unitOfWorkContract('SQLite in a file', {
  open: () => openFile(newPath()),
  reopen: async (storage) => {
    await storage.close();
    return openFile(files.get(storage) ?? '');
  },
  openFillable,
});
const slowSync = {
  requireInPlace: () => undefined,
  duration: () => 5,
  now: turn,
  later: turn,
  close: () => undefined,
};

unitOfWorkContract('SQLite on a slow disk', {
  open: async () => {
    const path = newPath();
    const writer = openWriter(path);
    return sqlUnitOfWork({
      writer,
      openReader: () => openReader(path),
      sync: slowSync,
      lockTimeout,
    });
  },
});
/** Makes transactions as the thread does, without the start of a thread for each test; the thread has tests of its own (storage/carried). */
function carrierOver(path: string): Carrier {
  const another = connectionOn(openWriter(path));
  return {
    isReady: () => true,
    carry: async (writes) => {
      await turn();
      if (!makeBatch(another, structuredClone(batchOf(writes)))) throw new BatchRefused();
    },
    close: async () => void another.handle.close(),
  };
}

unitOfWorkContract('SQLite whose transactions another connection makes', {
  open: async () => {
    const path = newPath();
    const writer = openWriter(path);
    return sqlUnitOfWork({
      writer,
      openReader: () => openReader(path),
      sync: slowSync,
      carrier: carrierOver(path),
      carriedFrom: 1,
      lockTimeout,
    });
  },
});
unitOfWorkContract('SQLite in memory', {
  open: async () => {
    const writer = openHandle(migrated);
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
