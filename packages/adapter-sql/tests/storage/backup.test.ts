import { describe, expect, it } from '@jest/globals';
import { id } from '@slipstream/domain';
import { aBook, aBot, aBotOrder, aUser } from '@slipstream/port-contracts';
import { mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import { openSqlite, restoreSqlite } from '../../src/index.js';
import { temporaryPaths } from './temporary-folder.js';
import { openHandle } from '../../src/storage/connection.js';

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

    const copy = openHandle(to);
    const count = (prefix: string) =>
      Number(copy.prepare('SELECT count(*) FROM users WHERE id LIKE ?').pluck().get(`${prefix}-%`));
    expect(meanwhile).toBeGreaterThan(302);
    expect(count('a')).toBe(count('b'));
    expect(count('a')).toBeGreaterThanOrEqual(301);
    expect(count('a')).toBeLessThan(meanwhile);
    expect(copy.pragma('integrity_check', { simple: true })).toBe('ok');
    copy.close();
  });

  it('is restored with versions of books that nobody has heard of', async () => {
    const [path, to, restored] = [newPath(), newPath(), newPath()];
    const storage = await openSqlite({ path });
    const book = aBook();
    await storage.run(({ books }) => books.save(book, []));
    await storage.backup(to);
    await storage.close();
    await restoreSqlite(to, restored, async () => undefined);
    const opened = await openSqlite({ path: restored });
    const found = await opened.read(({ books }) => books.find(book.strategyId));
    expect(found).toEqual({ ...book, version: book.version + 1_000_000 });
    await opened.close();
  });

  it('is restored with cycles of bots that no order at a broker has the id of', async () => {
    const [path, to, restored] = [newPath(), newPath(), newPath()];
    const storage = await openSqlite({ path });
    const bot = aBot({ cycle: 7, firstCycle: 3 });
    const order = aBotOrder({ botId: bot.id, cycle: 7 });
    await storage.run(async ({ bots, botOrders }) => {
      await bots.save(bot);
      await botOrders.save(order);
    });
    await storage.backup(to);
    await storage.close();
    await restoreSqlite(to, restored, async () => undefined);
    const opened = await openSqlite({ path: restored });
    const found = await opened.read(async ({ bots, botOrders }) => [
      await bots.find(bot.id),
      await botOrders.list(bot.id, { limit: 2 }),
    ]);
    expect(found).toEqual([{ ...bot, cycle: 1_000_007 }, [order]]);
    await opened.close();
  });

  it('is for its owner only, replaces an older one and can be opened', async () => {
    const [path, to] = [newPath(), newPath()];
    const storage = await openSqlite({ path });
    await storage.backup(to);
    await storage.run(({ users }) => users.save(aUser()));
    await storage.backup(to);
    await storage.close();
    expect((statSync(to).mode & 0o777).toString(8)).toBe('600');
    expect(readdirSync(dirname(to)).filter((name) => name.includes('.partial'))).toEqual([]);

    const opened = await openSqlite({ path: to });
    expect(await opened.read(({ users }) => users.find(id('user-1')))).toEqual(aUser());
    await opened.close();
  });

  it('is whole when it is told, though another one of the same name is made at that moment', async () => {
    const storage = await openSqlite({ path: newPath() });
    const bio = 'x'.repeat(2000);
    const profile = { bio, x: '', website: '', youtube: '', telegram: '' };
    await storage.run(async ({ users }) => {
      for (let n = 0; n < 2000; n += 1) await users.save(aUser({ id: id(`a-${n}`), profile }));
    });
    const to = newPath();
    const usersIn = (): unknown => {
      const copy = openHandle(to, { readonly: true });
      try {
        return copy.prepare('SELECT count(*) FROM users').pluck().get();
      } finally {
        copy.close();
      }
    };
    const first = storage.backup(to).then(usersIn);
    await new Promise(setImmediate);
    const second = storage.backup(to).then(usersIn);
    expect(await Promise.all([first, second])).toEqual([2000, 2000]);
    await storage.close();
  });

  it('takes away what one that was killed left, and nothing of one that is being made', async () => {
    const storage = await openSqlite({ path: newPath() });
    const to = newPath();
    // No process has this id: it is beyond the largest of Linux.
    const ofDead = `${to}.4194305-1.partial`;
    const ofLiving = `${to}.${process.ppid}-1.partial`;
    mkdirSync(dirname(to), { recursive: true });
    for (const left of [ofDead, `${ofDead}-journal`, ofLiving]) writeFileSync(left, '');
    await storage.backup(to);
    await storage.close();
    const names = readdirSync(dirname(to)).filter((name) => name.startsWith(`${basename(to)}.`));
    expect(names).toEqual([basename(ofLiving)]);
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
