import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { aUser } from '@slipstream/port-contracts';
import { StorageUnavailable } from '@slipstream/ports';
import type BetterSqlite from 'better-sqlite3';
import { migrate } from '../../src/migrations/migrate.js';
import { openReader, openWriter } from '../../src/storage/connection.js';
import { UnusableDatabase } from '../../src/storage/own-file.js';
import { type SqlUnitOfWork, sqlUnitOfWork } from '../../src/storage/unit-of-work.js';
import { temporaryPaths } from './temporary-folder.js';

const newPath = temporaryPaths();

/** The beginning of the next statement that fails; `OPEN` for the next connection. */
let failing: string | undefined;
let opened: number;
let storage: SqlUnitOfWork;

/** A connection on such a disk. */
function onFailingDisk(handle: BetterSqlite.Database): BetterSqlite.Database {
  const prepare = handle.prepare.bind(handle);
  return Object.assign(handle, {
    prepare: (sql: string) => {
      const statement = prepare(sql);
      for (const name of ['run', 'get', 'all'] as const) {
        const does: (...given: unknown[]) => unknown = statement[name].bind(statement);
        Object.assign(statement, {
          [name]: (...given: unknown[]) => {
            if (failing === undefined || !sql.toUpperCase().startsWith(failing))
              return does(...given);
            failing = undefined;
            throw Object.assign(new Error('disk I/O error'), { code: 'SQLITE_IOERR' });
          },
        });
      }
      return statement;
    },
  });
}

beforeEach(() => {
  const path = newPath();
  const writer = openWriter(path);
  migrate(writer);
  opened = 0;
  storage = sqlUnitOfWork({
    writer,
    openReader: () => {
      opened += 1;
      if (failing === 'OPEN') {
        failing = undefined;
        throw new UnusableDatabase('the database cannot be opened');
      }
      return onFailingDisk(openReader(path));
    },
  });
});
afterEach(async () => {
  failing = undefined;
  await storage.close();
});

/** By an index: records in memory need no disk. */
const find = () => storage.read(({ users }) => users.findByEmail(aUser().email));
const ended = () => new Promise((resolve) => setImmediate(resolve));

describe('a disk that fails once while it is read', () => {
  beforeEach(() => storage.run(({ users }) => users.save(aUser())));

  it.each(['OPEN', 'BEGIN', 'SELECT'])(
    'refuses the read that it fails, and no other: %s',
    async (word) => {
      failing = word;
      await expect(find()).rejects.toThrow(StorageUnavailable);
      expect(await find()).toEqual(aUser());
    },
  );

  it('takes nothing from a read that has its answer already, and does not end the process', async () => {
    failing = 'COMMIT';
    expect(await find()).toEqual(aUser());
    await ended();
    expect(failing).toBeUndefined();
    // The connection is not used again: nobody knows what is open on it.
    const before = opened;
    expect(await find()).toEqual(aUser());
    expect(opened).toBe(before + 1);
    await ended();
  });
});
