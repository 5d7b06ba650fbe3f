import { closeSync, openSync, statSync, writeSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { aUser } from '@slipstream/port-contracts';
import { UnusableDatabase, openSqlite } from '../../src/index.js';
import { migratedPaths } from './temporary-folder.js';
import { openHandle } from '../../src/storage/connection.js';

const { newPath } = migratedPaths();

/** Larger than what is checked before anything is read. */
const LARGE = 70 * 1024 * 1024;

/** A database of Slipstream with rows that nobody reads, many pages of them. */
function largeFile(): string {
  const path = newPath();
  const handle = openHandle(path);
  handle.exec('CREATE TABLE load (at INTEGER PRIMARY KEY, text BLOB) STRICT');
  const add = handle.prepare('INSERT INTO load (text) VALUES (zeroblob(?))');
  handle.transaction(() => {
    for (let size = 0; size < LARGE; size += 3_000) add.run(3_000);
  })();
  handle.close();
  return path;
}

/** Writes over some pages in the middle, of the table that nobody reads. */
function damage(path: string): void {
  const file = openSync(path, 'r+');
  const page = Math.floor(statSync(path).size / 4096 / 2) * 4096;
  writeSync(file, Buffer.alloc(16 * 4096, 0xff), 0, 16 * 4096, page);
  closeSync(file);
}

describe('a large file', () => {
  it('is read while it is checked, and written when it was found sound', async () => {
    const path = largeFile();
    const storage = await openSqlite({ path });
    const order: string[] = [];
    const written = storage
      .run(({ users }) => users.save(aUser()))
      .then(() => order.push('written'));
    await storage.read(({ users }) => users.find(aUser().id));
    order.push('read');
    await written;
    expect(order).toEqual(['read', 'written']);
    expect(await storage.read(({ users }) => users.find(aUser().id))).toEqual(aUser());
    await storage.close();
  });

  it('takes no transaction when it is damaged where nobody has read', async () => {
    const path = largeFile();
    damage(path);
    const storage = await openSqlite({ path });
    await storage.read(({ users }) => users.find(aUser().id));
    const saved = storage.run(({ users }) => users.save(aUser()));
    await expect(saved).rejects.toThrow(UnusableDatabase);
    await expect(saved).rejects.toThrow(/is damaged/);
    await expect(storage.run(({ users }) => users.find(aUser().id))).rejects.toThrow(
      UnusableDatabase,
    );
    await storage.close();
    const reader = openHandle(path, { readonly: true });
    expect(reader.prepare('SELECT count(*) FROM users').pluck().get()).toBe(0);
    reader.close();
  });

  it('says that it is damaged, to a read that fails of it', async () => {
    const path = largeFile();
    damage(path);
    const storage = await openSqlite({ path });
    const failed = storage.read(() =>
      Promise.reject(new Error('database disk image is malformed')),
    );
    await expect(failed).rejects.toThrow(UnusableDatabase);
    await storage.close();
  });

  it('is checked before it is migrated', async () => {
    const path = largeFile();
    damage(path);
    const handle = openHandle(path);
    handle.exec('DELETE FROM migrations WHERE name = (SELECT max(name) FROM migrations)');
    handle.close();
    await expect(openSqlite({ path })).rejects.toThrow(UnusableDatabase);
  });
});
