import { describe, expect, it } from '@jest/globals';
import { id } from '@slipstream/domain';
import { aUser } from '@slipstream/port-contracts';
import BetterSqlite from 'better-sqlite3';
import { existsSync, statSync } from 'node:fs';
import { openSqlite } from '../../src/index.js';
import { temporaryPaths } from './temporary-folder.js';

const newPath = temporaryPaths();

describe('a backup', () => {
  it('is of one moment, made while transactions run', async () => {
    const storage = await openSqlite({ path: newPath() });
    const bio = 'x'.repeat(2000);
    const profile = { bio, x: '', website: '', youtube: '', telegram: '' };
    const saveTwins = (n: number) =>
      storage.run(async ({ users }) => {
        await users.save(aUser({ id: id(`a-${n}`), profile }));
        await users.save(aUser({ id: id(`b-${n}`), profile }));
      });
    for (let n = 0; n < 300; n += 1) void saveTwins(n);
    await saveTwins(300);

    const to = newPath();
    let done = false;
    const copying = storage.backup(to).finally(() => {
      done = true;
    });
    let meanwhile = 301;
    while (!done) {
      await saveTwins(meanwhile);
      meanwhile += 1;
    }
    await copying;
    await storage.close();

    const copy = new BetterSqlite(to);
    const count = (prefix: string) =>
      Number(copy.prepare('SELECT count(*) FROM users WHERE id LIKE ?').pluck().get(`${prefix}-%`));
    expect(meanwhile).toBeGreaterThan(302);
    expect(count('a')).toBe(count('b'));
    expect(count('a')).toBeGreaterThanOrEqual(301);
    expect(count('a')).toBeLessThan(meanwhile);
    expect(copy.pragma('integrity_check', { simple: true })).toBe('ok');
    copy.close();
  });

  it('is for its owner only, replaces an older one and can be opened', async () => {
    const [path, to] = [newPath(), newPath()];
    const storage = await openSqlite({ path });
    await storage.backup(to);
    await storage.run(({ users }) => users.save(aUser()));
    await storage.backup(to);
    await storage.close();
    expect((statSync(to).mode & 0o777).toString(8)).toBe('600');
    expect(existsSync(`${to}.partial`)).toBe(false);

    const opened = await openSqlite({ path: to });
    expect(await opened.read(({ users }) => users.find(id('user-1')))).toEqual(aUser());
    await opened.close();
  });

  it('is refused onto the database itself, and of a database in memory', async () => {
    const path = newPath();
    const storage = await openSqlite({ path });
    await expect(storage.backup(path)).rejects.toThrow();
    await storage.run(({ users }) => users.save(aUser()));
    await storage.close();
    const inMemory = await openSqlite({ path: ':memory:' });
    await expect(inMemory.backup(newPath())).rejects.toThrow();
    await inMemory.close();
  });
});
