import { execFileSync } from 'node:child_process';
import { statSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { id } from '@slipstream/domain';
import { aUser } from '@slipstream/port-contracts';
import type BetterSqlite from 'better-sqlite3';
import { openSqlite } from '../../src/index.js';
import { openWriter } from '../../src/storage/connection.js';
import { type Sync, logSync } from '../../src/commits/log-sync.js';
import { temporaryPaths } from './temporary-folder.js';

const newPath = temporaryPaths();

let path: string;
let writer: BetterSqlite.Database;
let sync: Sync;

beforeEach(() => {
  path = newPath();
  writer = openWriter(path);
  writer.exec('CREATE TABLE t (a TEXT) STRICT');
  sync = logSync(writer, path);
});
afterEach(() => void writer.close());

describe('the sync of the log', () => {
  it('leaves SQLite only the syncs that keep the file whole', () => {
    expect(writer.pragma('synchronous', { simple: true })).toBe(1);
    sync.close();
  });

  it('is of the log that SQLite writes into, also after it began anew', () => {
    const before = statSync(`${path}-wal`).ino;
    for (let row = 0; row < 3000; row += 1) writer.prepare("INSERT INTO t VALUES ('a')").run();
    writer.pragma('wal_checkpoint(TRUNCATE)');
    writer.exec("INSERT INTO t VALUES ('b')");
    expect(statSync(`${path}-wal`).ino).toBe(before);
    sync.close();
  });

  it('knows how long it takes once it was done, beside the event loop or not', async () => {
    expect(sync.duration()).toBe(Infinity);
    await sync.later();
    const first = sync.duration();
    expect(first).toBeLessThan(Infinity);
    sync.now();
    expect(sync.duration()).toBeLessThanOrEqual(2 * first);
    sync.close();
  });

  it('makes the log longer while a sync takes long, and as short as before after a quick one', () => {
    const { now } = performance;
    // What is known grows to twice as much at most: every disk has a long one now and then.
    const pages = [0.8, 1.6, 3.2, 6.4, 12.8, 3, 0.2].map((duration) => {
      const clock = [0, duration];
      performance.now = () => clock.shift() ?? duration;
      sync.now();
      return writer.pragma('wal_autocheckpoint', { simple: true });
    });
    performance.now = now;
    expect(pages).toEqual([2000, 4000, 6000, 10_000, 10_000, 6000, 2000]);
    sync.close();
  });

  it('tells when the file cannot be synced, as a pipe cannot', async () => {
    const pipe = `${path}-pipe`;
    execFileSync('mkfifo', [`${pipe}-wal`]);
    const failing = logSync(writer, pipe);
    expect(() => failing.now()).toThrow('EINVAL');
    await expect(failing.later()).rejects.toThrow('EINVAL');
    failing.close();
    sync.close();
  });
});

describe('a database in a file', () => {
  it('has every commit after it is opened again, with its log taken over each time', async () => {
    const file = newPath();
    const names = ['a', 'b', 'c'];
    for (const name of names) {
      const storage = await openSqlite({ path: file });
      const both = [name, `${name}-2`].map((one) =>
        storage.run(({ users }) => users.save(aUser({ id: id(one) }))),
      );
      await Promise.all(both);
      await storage.close();
    }
    const storage = await openSqlite({ path: file });
    const found = await storage.read(({ users }) => users.list(names.map((name) => id(name))));
    expect(found.map((user) => user.id)).toEqual(names);
    await storage.close();
  });
});
