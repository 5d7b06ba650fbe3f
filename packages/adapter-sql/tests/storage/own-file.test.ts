import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { backupSqlite, migrateSqlite, openSqlite } from '../../src/index.js';
import { temporaryPaths } from './temporary-folder.js';
import { openHandle } from '../../src/storage/connection.js';

const newPath = temporaryPaths();

/** All that somebody could see of what is in a folder. */
const lookOf = (folder: string) =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) => {
    const path = `${folder}/${name}`;
    const { mode, mtimeMs, size } = statSync(path);
    const bytes = size > 0 && statSync(path).isFile() ? readFileSync(path) : '';
    return [name, mode, mtimeMs, createHash('sha256').update(bytes).digest('hex')];
  });

const FOREIGN: Readonly<Record<string, (path: string) => void>> = {
  'a text': (path) => writeFileSync(path, 'dear diary', { mode: 0o644 }),
  'a folder': (path) => mkdirSync(path, { mode: 0o755 }),
  "another program's database": (path) => {
    const other = openHandle(path);
    other.exec('CREATE TABLE notes (text TEXT); INSERT INTO notes VALUES (1)');
    other.close();
  },
  "another program's database, in WAL mode and with a mark of its own": (path) => {
    const other = openHandle(path);
    other.pragma('journal_mode = WAL');
    other.pragma('application_id = 7');
    other.exec('CREATE TABLE migrations (name TEXT PRIMARY KEY) STRICT');
    other.close();
  },
};

const WAYS: Readonly<Record<string, (path: string) => unknown>> = {
  opened: (path) => openSqlite({ path }),
  migrated: (path) => migrateSqlite(path),
  'copied from': (path) => backupSqlite(path, `${path}.copy`),
};

describe('a path that is no database of ours', () => {
  it.each(
    Object.keys(FOREIGN).flatMap((kind) => Object.keys(WAYS).map((way) => [kind, way] as const)),
  )('%s is left as it was when it is to be %s', async (kind, way) => {
    const path = newPath();
    mkdirSync(dirname(path), { recursive: true });
    FOREIGN[kind]?.(path);
    const before = lookOf(dirname(path));
    await expect((async () => WAYS[way]?.(path))()).rejects.toMatchObject({
      name: 'UnusableDatabase',
    });
    expect(lookOf(dirname(path))).toEqual(before);
  });
});

describe('a path where no file can be', () => {
  it.each(['opened', 'migrated'])('is refused at once when it is %s', async (way) => {
    const path = newPath();
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, 'in the way');
    for (const unusable of [`${path}/x/y.db`, '/proc/nothing-can-be-made-here/y.db']) {
      if (unusable.startsWith('/proc') && process.platform !== 'linux') continue;
      await expect((async () => WAYS[way]?.(unusable))()).rejects.toMatchObject({
        name: 'UnusableDatabase',
        message: expect.stringMatching(/cannot be made or opened \(E/),
      });
    }
  });
});

describe('a database of ours', () => {
  it('is recognised by the mark in its header, and an older one by its schema', async () => {
    const path = newPath();
    await (await openSqlite({ path })).close();
    expect(readFileSync(path).toString('latin1', 68, 72)).toBe('SLIP');

    const old = openHandle(path);
    old.pragma('application_id = 0');
    old.close();
    await (await openSqlite({ path })).close();
  });

  it('may be an empty file', async () => {
    const path = newPath();
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, '');
    await (await openSqlite({ path })).close();
  });
});
