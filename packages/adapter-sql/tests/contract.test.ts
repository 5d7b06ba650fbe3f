import { unitOfWorkContract } from '@slipstream/port-contracts';
import type BetterSqlite from 'better-sqlite3';
import type { BookCache } from '../src/book-cache.js';
import { openReader, openWriter } from '../src/connection.js';
import { openSqlite } from '../src/index.js';
import { migrate } from '../src/migrations.js';
import { sqlUnitOfWork } from '../src/unit-of-work.js';
import { temporaryPaths } from './temporary-folder.js';

const newPath = temporaryPaths();

/** Remembers nothing, so every book that the contract compares comes from the tables. */
const noBooks = { get: () => undefined, read: () => undefined, written: () => undefined };
const noCache: BookCache = {
  openGroup: () => ({ ...noBooks, promote: () => undefined, forget: () => undefined }),
  forRead: () => noBooks,
};

unitOfWorkContract('SQLite in a file', () => openSqlite({ path: newPath() }));
unitOfWorkContract('SQLite in memory', () => openSqlite({ path: ':memory:' }));
unitOfWorkContract(
  'SQLite without books in memory, lists reversed where no order is asked for',
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
      books: noCache,
    });
  },
);
