import { createHash } from 'node:crypto';
import {
  chmodSync,
  chownSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { auditPages, backupSqlite, migrateSqlite, openSqlite } from '../../src/index.js';
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

/** What keeps a database of ours from being used, how it comes about, and what is said of it. */
const IN_TROUBLE: readonly (readonly [string, (path: string) => void, RegExp])[] = [
  ['is cut off', (path) => truncateSync(path, 60), /slipstream\.db is damaged .+ restore a backup/],
  [
    'has lost its pages',
    (path) => writeFileSync(path, readFileSync(path).fill(0, 100)),
    /slipstream\.db is damaged .+ restore a backup/,
  ],
  [
    'has something else at the place of its log',
    (path) => mkdirSync(`${path}-wal`),
    /slipstream\.db, or a file beside it .+ cannot be opened \(SQLITE_CANTOPEN\): .+ must belong to/,
  ],
];

describe('a database of ours that cannot be used as it is', () => {
  const SOMEBODY = 65_534;
  /** Only who may change the owner of a file can make one that belongs to somebody else. */
  const itsOwnerIsRoot = process.getuid?.() === 0 ? it : it.skip;
  const ALL = { ...WAYS, audited: (path: string) => [...auditPages(path, 0)] };
  const newDatabase = async (): Promise<string> => {
    const path = newPath();
    await (await openSqlite({ path })).close();
    return path;
  };

  it.each(
    IN_TROUBLE.flatMap(([what, trouble, says]) =>
      Object.entries(ALL).map(([way, act]) => ({ what, way, trouble, says, act })),
    ),
  )('$what: that is said when it is $way, and it does not change', async (row) => {
    const path = await newDatabase();
    row.trouble(path);
    const before = readFileSync(path);
    await expect((async () => row.act(path))()).rejects.toMatchObject({
      name: 'UnusableDatabase',
      message: expect.stringMatching(row.says),
    });
    expect(readFileSync(path).equals(before)).toBe(true);
  });

  itsOwnerIsRoot('is in a folder in which nothing can be made: that is said', async () => {
    const path = await newDatabase();
    for (const name of ['.', ...readdirSync(dirname(path))])
      chownSync(join(dirname(path), name), SOMEBODY, SOMEBODY);
    chmodSync(dirname(dirname(path)), 0o755);
    chmodSync(dirname(path), 0o500);
    process.seteuid?.(SOMEBODY);
    try {
      for (const act of Object.values(ALL))
        await expect((async () => act(path))()).rejects.toMatchObject({
          name: 'UnusableDatabase',
          message: expect.stringMatching(/must belong to the user that runs this/),
        });
    } finally {
      process.seteuid?.(0);
    }
  });

  it('is not named when it is the file of its lock that cannot be opened', async () => {
    const path = await newDatabase();
    rmSync(`${path}-lock`);
    symlinkSync(`${path}-lock`, `${path}-lock`);
    await expect(openSqlite({ path })).rejects.toMatchObject({
      name: 'UnusableDatabase',
      message: expect.stringMatching(/slipstream\.db-lock cannot be made or opened \(ELOOP\)/),
    });
  });

  itsOwnerIsRoot.each(['', '-lock', '-owner', '-wal'])(
    'is of another user, as its file ...%s is: who has to have it is said',
    async (end) => {
      const path = await newDatabase();
      for (const made of ['-owner', '-wal']) writeFileSync(`${path}${made}`, '', { mode: 0o600 });
      chmodSync(dirname(dirname(path)), 0o755);
      for (const name of ['.', ...readdirSync(dirname(path))])
        chownSync(join(dirname(path), name), SOMEBODY, SOMEBODY);
      chownSync(`${path}${end}`, 0, 0);
      process.seteuid?.(SOMEBODY);
      try {
        await expect(openSqlite({ path })).rejects.toMatchObject({
          name: 'UnusableDatabase',
          message: expect.stringMatching(
            new RegExp(
              end === '-wal'
                ? 'slipstream\\.db, or a file beside it .+ must belong to'
                : `slipstream\\.db${end} cannot be made or opened \\(E.+\\): .* must belong to`,
            ),
          ),
        });
      } finally {
        process.seteuid?.(0);
      }
    },
  );
});
