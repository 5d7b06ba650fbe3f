import { unitOfWorkContract } from '@slipstream/port-contracts';
import type BetterSqlite from 'better-sqlite3';
import { openReader, openWriter } from '../src/connection.js';
import { openSqlite } from '../src/index.js';
import { migrate } from '../src/migrations.js';
import type { RecordCache } from '../src/record-cache.js';
import { sqlUnitOfWork } from '../src/unit-of-work.js';
import { temporaryPaths } from './temporary-folder.js';

const newPath = temporaryPaths();

/** A work that waits for another one is given up after that many milliseconds. */
const patience = 500;

/** Remembers nothing, so all that the contract compares comes from the tables. */
const noRecords = { get: () => undefined, read: () => undefined, written: () => undefined };
const noCache: RecordCache = {
  openGroup: () => ({ ...noRecords, promote: () => undefined, forget: () => undefined }),
  forRead: () => noRecords,
};

unitOfWorkContract('SQLite in a file', () => openSqlite({ path: newPath(), patience }));
unitOfWorkContract('SQLite in memory', () => openSqlite({ path: ':memory:', patience }));
unitOfWorkContract(
  'SQLite without records in memory, lists reversed where no order is asked for',
  async () => {
    const path = newPath();
    const reversed = (handle: BetterSqlite.Database) => {
      handle.pragma('reverse_unordered_selects = ON');
      return handle;
    };
    const writer = reversed(openWriter(path));
    migrate(writer);
    return sqlUnitOfWork({
      writer,
      openReader: () => reversed(openReader(path)),
      records: noCache,
      patience,
    });
  },
);
