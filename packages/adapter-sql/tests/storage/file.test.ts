import { describe, expect, it } from '@jest/globals';
import { aUser } from '@slipstream/port-contracts';
import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { openReader, openWriter, openHandle } from '../../src/storage/connection.js';
import { backupSqlite, openSqlite } from '../../src/index.js';
import { migrations } from '../../src/migrations/index.js';
import { migrate } from '../../src/migrations/migrate.js';
import { temporaryPaths } from './temporary-folder.js';

const newPath = temporaryPaths();

describe('the file', () => {
  it.each([
    ['journal_mode', 'wal'],
    ['synchronous', 2],
    ['wal_autocheckpoint', 2000],
    ['foreign_keys', 1],
    ['trusted_schema', 0],
    ['busy_timeout', 0],
  ])('is opened with %s = %s, the first time and later', (pragma, value) => {
    const path = newPath();
    for (const _ of ['first', 'later']) {
      const writer = openWriter(path);
      expect(writer.pragma(pragma, { simple: true })).toBe(value);
      writer.exec('CREATE TABLE IF NOT EXISTS t (a TEXT) STRICT');
      writer.close();
    }
  });

  it('is readable only by its owner, as are its folder and the files beside it', async () => {
    const path = newPath();
    const storage = await openSqlite({ path });
    await storage.run(({ users }) => users.save(aUser()));
    const modeOf = (file: string) => (statSync(file).mode & 0o777).toString(8);
    for (const file of ['', '-wal', '-shm', '-lock', '-owner'])
      expect([file, modeOf(path + file)]).toEqual([file, '600']);
    expect(modeOf(dirname(path))).toBe('700');
    await storage.close();
  });

  it('is restricted to its owner again when others could read it', async () => {
    const path = newPath();
    await (await openSqlite({ path })).close();
    writeFileSync(path, '', { flag: 'a' });
    const storage = await openSqlite({ path });
    expect((statSync(path).mode & 0o777).toString(8)).toBe('600');
    await storage.close();
  });

  it('is refused when it is damaged, and can be opened again after a repair', async () => {
    const path = newPath();
    await (await openSqlite({ path })).close();
    const sound = openHandle(path).serialize();
    const damaged = Buffer.from(sound);
    damaged.fill(0xff, 4096, 3 * 4096);
    writeFileSync(path, damaged);
    await expect(openSqlite({ path })).rejects.toThrow();
    const to = `${path}.copy`;
    writeFileSync(to, 'the last good copy');
    await expect(backupSqlite(path, to)).rejects.toThrow();
    expect(readFileSync(to, 'utf8')).toBe('the last good copy');
    writeFileSync(path, sound);
    await (await openSqlite({ path })).close();
  });

  it('cannot be written by the connections that read', () => {
    const path = newPath();
    migrate(openWriter(path));
    expect(() => openReader(path).exec('DELETE FROM migrations')).toThrow();
  });
});

describe('migrations', () => {
  it('are applied once', () => {
    const handle = openHandle(':memory:');
    expect(migrate(handle)).toEqual(Object.keys(migrations));
    expect(migrate(handle)).toEqual([]);
  });

  it('make strict tables only', () => {
    const handle = openHandle(':memory:');
    migrate(handle);
    const lax = handle
      .prepare("SELECT name FROM pragma_table_list WHERE schema = 'main' AND strict = 0")
      .pluck()
      .all()
      .filter((name) => !String(name).startsWith('sqlite_'));
    expect(lax).toEqual([]);
  });

  it('are applied all or not at all', () => {
    const handle = openHandle(':memory:');
    const broken = { '0001-good': 'CREATE TABLE a (b TEXT) STRICT', '0002-bad': 'CREATE nonsense' };
    expect(() => migrate(handle, broken)).toThrow();
    expect(handle.prepare('SELECT count(*) FROM sqlite_schema').pluck().get()).toBe(0);
  });

  it('refuse the database of a later release', () => {
    const handle = openHandle(':memory:');
    migrate(handle, { ...migrations, '9999-later': 'CREATE TABLE later (a TEXT) STRICT' });
    expect(() => migrate(handle)).toThrow('9999-later');
  });
});
