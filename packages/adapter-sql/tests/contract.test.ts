import { unitOfWorkContract } from '@slipstream/port-contracts';
import type BetterSqlite from 'better-sqlite3';
import { openReader, openWriter } from '../src/connection.js';
import { openSqlite } from '../src/index.js';
import { migrate } from '../src/migrations.js';
import { sqlUnitOfWork } from '../src/unit-of-work.js';
import { noCache } from './no-cache.js';
import { temporaryPaths } from './temporary-folder.js';

const newPath = temporaryPaths();

/** A work that waits for another one is given up after that many milliseconds. */
const patience = 500;

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
