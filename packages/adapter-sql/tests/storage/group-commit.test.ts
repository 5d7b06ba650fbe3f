import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { type UserId, id } from '@slipstream/domain';
import { StorageUnavailable } from '@slipstream/ports';
import { aBook, aMail, aUser, anOrder, opened } from '@slipstream/port-contracts';
import type BetterSqlite from 'better-sqlite3';
import { openReader, openWriter, openHandle } from '../../src/storage/connection.js';
import { migrate } from '../../src/migrations/migrate.js';
import { type SqlUnitOfWork, sqlUnitOfWork } from '../../src/storage/unit-of-work.js';
import { temporaryPaths } from './temporary-folder.js';

const newPath = temporaryPaths();
const userIds = (count: number): UserId[] =>
  Array.from({ length: count }, (_, n) => id<'user'>(`user-${n}`));

let path: string;
let writer: BetterSqlite.Database;
let storage: SqlUnitOfWork;

const migrated = (): BetterSqlite.Database => {
  const opened = openWriter(newPath());
  migrate(opened);
  return opened;
};

beforeEach(() => {
  path = newPath();
  writer = openWriter(path);
  migrate(writer);
  storage = sqlUnitOfWork({ writer, openReader: () => openReader(path), lockTimeout: 300 });
});

afterEach(async () => {
  await storage.close();
});

const save = (userId: UserId) => storage.run(({ users }) => users.save(aUser({ id: userId })));
const saved = async (...ids: readonly UserId[]): Promise<string[]> =>
  (await storage.read(({ users }) => users.list(ids))).map((user) => user.id);

describe('group commit', () => {
  it('commits transactions that arrive together once', async () => {
    const ids = userIds(100);
    await Promise.all(ids.map(save));
    expect(storage.commits()).toBe(1);
    expect(await saved(...ids)).toEqual(ids);
  });

  it('commits transactions that arrive one after another separately', async () => {
    for (const userId of userIds(3)) await save(userId);
    expect(storage.commits()).toBe(3);
  });

  it('counts no commit when nothing was written', async () => {
    await Promise.all([storage.run(({ users }) => users.find(id('user-1'))), saved()]);
    expect(storage.commits()).toBe(0);
  });

  it('keeps one commit when a transaction of the group is refused before it writes', async () => {
    const results = await Promise.allSettled([
      save(id('user-1')),
      storage.run(async () => Promise.reject(new Error('no'))),
      save(id('user-2')),
    ]);
    expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    expect(storage.commits()).toBe(1);
  });

  it('rolls back one that throws after a write, and runs nothing again', async () => {
    const runs = [0, 0, 0];
    const results = await Promise.allSettled(
      [0, 1, 2].map((n) =>
        storage.run(async ({ users }) => {
          runs[n] = (runs[n] ?? 0) + 1;
          await users.save(aUser({ id: id(`user-${n}`) }));
          if (n === 1) throw new Error('no');
        }),
      ),
    );
    expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    expect(runs).toEqual([1, 1, 1]);
    expect(storage.commits()).toBe(1);
    expect(await saved(...userIds(3))).toEqual(['user-0', 'user-2']);
  });

  it('rolls back only the one that violated a constraint', async () => {
    const results = await Promise.allSettled([
      save(id('user-0')),
      storage.run(async ({ users }) => {
        await users.save(aUser({ id: id('user-1') }));
        await users.save(aUser({ id: id('user-2'), email: aUser({ id: id('user-0') }).email }));
      }),
      storage.run(async ({ users }) => (await users.list(userIds(3))).map((user) => user.id)),
    ]);
    expect(results[1].status).toBe('rejected');
    expect(results[2]).toMatchObject({ value: ['user-0'] });
    expect(storage.commits()).toBe(1);
  });

  it('rolls back only the one whose writes are refused at its end, and runs the others again by themselves', async () => {
    const anchor = { day: '2026-01-05', madeAt: 0, size: 0, root: 'r', branches: [], stamp: null };
    const results = await Promise.allSettled([
      save(id('user-0')),
      storage.run(async ({ brokerAccounts, anchors }) => {
        await brokerAccounts.save('account-1', 'half');
        await anchors.save(anchor, []);
        await anchors.save(anchor, []);
      }),
      save(id('user-1')),
    ]);
    expect(results).toMatchObject([
      { status: 'fulfilled' },
      { status: 'rejected', reason: { name: 'QueryFailed' } },
      { status: 'fulfilled' },
    ]);
    expect(await saved(...userIds(3))).toEqual(['user-0', 'user-1']);
    expect(writer.prepare('SELECT count(*) FROM broker_accounts').pluck().get()).toBe(0);
  });

  it('reads what it wrote itself, and not what another one of its group took back', async () => {
    const accountOf = (work: 'keeps' | 'throws') =>
      storage.run(async ({ brokerAccounts }) => {
        await brokerAccounts.save('account-1', work);
        const found = await brokerAccounts.find('account-1');
        if (work === 'throws') throw new Error(found);
        return found;
      });
    const before = storage.run(({ brokerAccounts }) => brokerAccounts.save('account-1', 'before'));
    const results = await Promise.allSettled([before, accountOf('throws')]);
    expect(results[1]).toMatchObject({ reason: { message: 'throws' } });
    expect(await storage.read(({ brokerAccounts }) => brokerAccounts.find('account-1'))).toBe(
      'before',
    );
    expect(await accountOf('keeps')).toBe('keeps');
  });

  it('makes many writes of one transaction as it goes, and takes all of them back', async () => {
    const results = await Promise.allSettled([
      save(id('user-0')),
      storage.run(async ({ mails }) => {
        for (let n = 0; n < 120; n += 1) await mails.save(aMail({ id: id(`mail-${n}`) }));
        expect(writer.prepare('SELECT count(*) FROM mails').pluck().get()).toBe(100);
        throw new Error('no');
      }),
    ]);
    expect(results[1]).toMatchObject({ reason: { message: 'no' } });
    expect(writer.prepare('SELECT count(*) FROM mails').pluck().get()).toBe(0);
    expect(await saved(id('user-0'))).toEqual(['user-0']);
  });

  it('lets other tasks run during a large group', async () => {
    let now = 0;
    let turns = 0;
    const slow = sqlUnitOfWork({
      writer: migrated(),
      time: { now: () => (now += 3), wait: async () => undefined },
      turn: async () => void (turns += 1),
    });
    await Promise.all(userIds(30).map((userId) => slow.run(({ users }) => users.find(userId))));
    expect(turns).toBeGreaterThan(5);
    await slow.close();
  });

  it('refuses late writes of a rolled back transaction while the others run again', async () => {
    const results = await Promise.allSettled([
      save(id('user-0')),
      storage.run(async ({ users }) => {
        await users.save(aUser({ id: id('half') }));
        const saveAll = async () => {
          for (const userId of userIds(20)) await users.save(aUser({ id: id(`half-${userId}`) }));
        };
        await Promise.all([Promise.reject(new Error('no')), saveAll()]);
      }),
      save(id('user-1')),
    ]);
    expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    const stored = writer.prepare('SELECT id FROM users ORDER BY id').pluck().all();
    expect(stored).toEqual(['user-0', 'user-1']);
  });

  it('refuses only the transaction that waits too long', async () => {
    const honest = async (name: string): Promise<void> =>
      storage.run(async ({ users }) => {
        for (const each of userIds(20)) await users.find(each);
        await users.save(aUser({ id: id(name) }));
      });
    const results = await Promise.allSettled([
      honest('before'),
      storage.run(() => new Promise(() => undefined)),
      honest('after'),
    ]);
    expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    expect(await saved(id('before'), id('after'))).toEqual(['before', 'after']);
  });

  it('refuses none of a group on a slow machine, however long they take together', async () => {
    const busy = new Int32Array(new SharedArrayBuffer(4));
    const ids = userIds(5);
    const slow = ids.map((userId) =>
      storage.run(async ({ users }) => {
        Atomics.wait(busy, 0, 0, 100);
        await users.save(aUser({ id: userId }));
      }),
    );
    await Promise.all(slow);
    expect(await saved(...ids)).toEqual(ids);
    expect(storage.commits()).toBe(1);
  });

  it('refuses later writes of a transaction that waited too long', async () => {
    let go = (): void => undefined;
    const gate = new Promise<void>((resolve) => {
      go = resolve;
    });
    let runs = 0;
    const slow = storage.run(async ({ users }) => {
      runs += 1;
      await users.save(aUser({ id: id('slow') }));
      if (runs > 1) throw new Error('no');
      await gate;
      await users.save(aUser({ id: id('later') }));
    });
    const beside = storage.run(async ({ users }) => {
      go();
      for (const userId of userIds(20)) await users.save(aUser({ id: userId }));
    });
    await expect(slow).rejects.toThrow('no');
    await beside;
    expect((await saved(id('slow'), id('later'), ...userIds(20))).length).toBe(20);
  });

  it('holds no lock after a refused transaction', async () => {
    const refused = storage.run(async ({ users }) => {
      await users.save(aUser());
      throw new Error('no');
    });
    await expect(refused).rejects.toThrow('no');
    const other = openHandle(path, { timeout: 0 });
    other.exec('BEGIN IMMEDIATE; ROLLBACK');
    other.close();
  });

  it('answers all transactions of a group in one turn, in order', async () => {
    const log: string[] = [];
    const works = ['a', 'b', 'c'].map((name) =>
      save(id(name)).then(() => {
        log.push(name);
        setImmediate(() => log.push('next turn'));
      }),
    );
    await Promise.all(works);
    expect(log).toEqual(['a', 'b', 'c']);
  });
});

describe('a full disk', () => {
  const fill = async (): Promise<unknown> => {
    writer.pragma(`max_page_count = ${String(writer.pragma('page_count', { simple: true }))}`);
    const big = Array.from({ length: 40 }, (_, n) =>
      aUser({
        id: id(`big-${n}`),
        profile: { bio: 'x'.repeat(2000), x: '', website: '', youtube: '', telegram: '' },
      }),
    );
    return storage
      .run(async ({ users, brokerAccounts }) => {
        await brokerAccounts.save('account-1', 'written before it was full');
        for (const user of big) await users.save(user);
      })
      .catch((error: unknown) => error);
  };
  const account = () => storage.read(({ brokerAccounts }) => brokerAccounts.find('account-1'));

  it('keeps nothing of the transaction and reports that the storage is unavailable', async () => {
    const error = await fill();
    expect(error).toBeInstanceOf(StorageUnavailable);
    expect((error as Error).cause).toMatchObject({ code: 'SQLITE_FULL' });
    expect(await account()).toBeUndefined();
  });

  it('refuses all transactions of the group, while reads continue, and succeeds again when there is space', async () => {
    await save(id('user-1'));
    const [failed, beside] = await Promise.all([
      fill(),
      save(id('user-2')).catch((error: unknown) => error),
    ]);
    expect([failed, beside].map((error) => (error as Error).name)).toEqual([
      'StorageUnavailable',
      'StorageUnavailable',
    ]);
    expect(await saved(...userIds(3))).toEqual(['user-1']);
    writer.pragma('max_page_count = 1000000');
    await save(id('user-2'));
    expect(await saved(...userIds(3))).toEqual(['user-1', 'user-2']);
  });

  it('fails at any statement without half a transaction', async () => {
    const strategyId = id<'strategy'>('strategy-1');
    await storage.run(({ books }) => books.save(aBook(), []));
    let version = 0;
    let refused = 0;
    for (let extraPages = 0; extraPages < 12; extraPages += 1) {
      const pages = Number(writer.pragma('page_count', { simple: true }));
      writer.pragma(`max_page_count = ${pages + extraPages}`);
      const orders = Array.from({ length: 60 }, (_, n) =>
        anOrder({ id: id(`order-${extraPages}-${n}`) }),
      );
      const outcome = await storage
        .run(async ({ books }) => {
          const book = (await books.find(strategyId)) ?? aBook();
          const openOrders = [...book.openOrders, ...orders];
          const next = { ...book, version: book.version + 1, openOrders };
          await books.save(next, orders.map(opened));
        })
        .then(
          () => 1,
          () => 0,
        );
      version += outcome;
      refused += 1 - outcome;
      const [book, rows] = await storage.read(async ({ books, orders }) => [
        await books.find(strategyId),
        await orders.list(strategyId, 'open', { limit: 10_000 }),
      ]);
      expect([book?.version, rows?.length]).toEqual([version, 60 * version]);
      const stored = writer.prepare('SELECT version FROM books').pluck().get();
      expect(stored).toBe(version);
    }
    expect(refused).toBeGreaterThan(0);
    expect(version).toBeGreaterThan(0);
  });
});

describe('a transaction that SQLite rolled back', () => {
  it('commits nothing of the later statements, and the next transaction succeeds', async () => {
    const lost = storage.run(async ({ users }) => {
      await users.save(aUser({ id: id('user-1') }));
      writer.exec('ROLLBACK');
      await users.save(aUser({ id: id('user-2') })).catch(() => undefined);
      await users.save(aUser({ id: id('user-3') })).catch(() => undefined);
    });
    await expect(lost).rejects.toBeInstanceOf(StorageUnavailable);
    expect(await saved(...userIds(4))).toEqual([]);
    await save(id('user-1'));
    expect(await saved(...userIds(4))).toEqual(['user-1']);
  });

  it('loads books again', async () => {
    const strategyId = id<'strategy'>('strategy-1');
    await storage.run(({ books }) => books.save(aBook(), []));
    const lost = storage.run(async ({ books }) => {
      await books.save(aBook({ version: 1 }), []);
      writer.exec('ROLLBACK');
    });
    await expect(lost).rejects.toBeInstanceOf(StorageUnavailable);
    expect((await storage.run(({ books }) => books.find(strategyId)))?.version).toBe(0);
  });
});

describe('a locked database', () => {
  it('is waited for without blocking the event loop', async () => {
    const other = openHandle(path, { timeout: 0 });
    other.exec('BEGIN IMMEDIATE');
    const work = save(id('user-1'));
    let turns = 0;
    await new Promise<void>((resolve) => {
      const turn = () => {
        turns += 1;
        if (turns < 200) setImmediate(turn);
        else resolve();
      };
      turn();
    });
    expect(await saved(id('user-1'))).toEqual([]);
    other.exec('COMMIT');
    other.close();
    await work;
    expect(await saved(id('user-1'))).toEqual(['user-1']);
  });

  it('causes a refusal of the group after a while, and later transactions succeed', async () => {
    const other = openHandle(path, { timeout: 0 });
    other.exec('BEGIN IMMEDIATE');
    const results = await Promise.allSettled(userIds(3).map(save));
    for (const result of results)
      expect(result).toMatchObject({ reason: { name: 'StorageUnavailable' } });
    other.exec('ROLLBACK');
    other.close();
    await save(id('user-1'));
    expect(await saved(...userIds(3))).toEqual(['user-1']);
  });
});

/** Time that goes by when the test says so, for who waits; the lock is tried again each time. */
function handTime() {
  let at = 0;
  let held = true;
  let again = (): void => undefined;
  let notifyWaiter = (): void => undefined;
  return {
    time: {
      now: () => at,
      wait: () =>
        new Promise<void>((resolve) => {
          again = resolve;
          if (held) setImmediate(notifyWaiter);
          else resolve();
        }),
    },
    /** Makes it so much later, and resolves when the lock was found taken once more. */
    pass: (milliseconds: number): Promise<void> =>
      new Promise((resolve) => {
        notifyWaiter = resolve;
        at += milliseconds;
        again();
      }),
    /** From now on nobody has to wait. */
    letGo: (): void => {
      held = false;
      again();
    },
  };
}

describe('a locked database, waited for by several', () => {
  let other: BetterSqlite.Database;
  let clock: ReturnType<typeof handTime>;
  const settled: string[] = [];
  const ask = (name: string, isWanted?: () => boolean): void => {
    const work = storage.run(({ users }) => users.save(aUser({ id: id(name) })), { isWanted });
    work.then(
      () => settled.push(`${name} done`),
      (error: Error) => settled.push(`${name} ${error.name}`),
    );
  };
  beforeEach(async () => {
    await storage.close();
    path = newPath();
    writer = openWriter(path);
    migrate(writer);
    clock = handTime();
    const { time } = clock;
    storage = sqlUnitOfWork({
      writer,
      openReader: () => openReader(path),
      lockTimeout: 2000,
      time,
    });
    settled.length = 0;
    other = openHandle(path, { timeout: 0 });
    other.exec('BEGIN IMMEDIATE');
  });
  afterEach(() => {
    other.close();
    clock.letGo();
  });

  it('delays each transaction for up to its lock timeout, counted from its call', async () => {
    ask('early');
    await clock.pass(0);
    await clock.pass(1500);
    ask('later');
    await clock.pass(500);
    expect(settled).toEqual(['early StorageUnavailable']);
    await clock.pass(1499);
    expect(settled).toHaveLength(1);
    await clock.pass(1);
    expect(settled).toEqual(['early StorageUnavailable', 'later StorageUnavailable']);
    other.exec('COMMIT');
    ask('last');
    clock.letGo();
    await storage.close();
    expect(settled.at(-1)).toBe('last done');
  });

  it('no longer delays an expired transaction, also in the queue', async () => {
    let wanted = true;
    ask('first', () => wanted);
    ask('patient');
    await clock.pass(0);
    ask('queued', () => wanted);
    wanted = false;
    await clock.pass(1);
    expect(settled).toEqual(['first StorageUnavailable', 'queued StorageUnavailable']);
    other.exec('COMMIT');
    clock.letGo();
    await storage.close();
    expect(settled.slice(2)).toEqual(['patient done']);
    const kept = openHandle(path, { readonly: true });
    expect(kept.prepare('SELECT id FROM users').pluck().all()).toEqual(['patient']);
    kept.close();
  });
});

describe('reads', () => {
  it('that outlive commits keep their moment, beside reads of later moments', async () => {
    await save(id('user-0'));
    let go = (): void => undefined;
    const gate = new Promise<void>((resolve) => {
      go = resolve;
    });
    const early = storage.read(async ({ users }) => {
      await users.find(id('user-0'));
      await gate;
      return (await users.list(userIds(3))).length;
    });
    await save(id('user-1'));
    const later = await saved(...userIds(3));
    await save(id('user-2'));
    go();
    expect([await early, later.length, (await saved(...userIds(3))).length]).toEqual([1, 2, 3]);
  });

  it('see one moment when they read records in memory before a commit and tables after it', async () => {
    const strategyId = id<'strategy'>('strategy-1');
    await storage.run(({ books }) => books.save(aBook(), []));
    let go = (): void => undefined;
    const gate = new Promise<void>((resolve) => {
      go = resolve;
    });
    const seen: unknown[] = [];
    const read = storage.read(async ({ books, users }) => {
      const version = (await books.find(strategyId))?.version;
      await gate;
      const user = await users.find(id('user-1'));
      seen.push(version);
      return [version, user?.id];
    });
    await storage.run(async ({ books, users }) => {
      await books.save(aBook({ version: 1 }), []);
      await users.save(aUser({ id: id('user-1') }));
    });
    go();
    expect(await read).toEqual([1, 'user-1']);
    expect(seen).toEqual([1]);
  });

  it('see the books of their moment, not those in memory', async () => {
    const strategyId = id<'strategy'>('strategy-1');
    await storage.run(({ books }) => books.save(aBook(), []));
    let go = (): void => undefined;
    const gate = new Promise<void>((resolve) => {
      go = resolve;
    });
    const early = storage.read(async ({ books, users }) => {
      await users.find(id('user-0'));
      await gate;
      return (await books.find(strategyId))?.version;
    });
    await storage.run(({ books }) => books.save(aBook({ version: 1 }), []));
    go();
    expect(await early).toBe(0);
    expect((await storage.read(({ books }) => books.find(strategyId)))?.version).toBe(1);
  });
});

describe('closing', () => {
  it('finishes running transactions and refuses later ones', async () => {
    const last = save(id('user-1'));
    const closed = storage.close();
    await last;
    await closed;
    await expect(save(id('user-2'))).rejects.toBeInstanceOf(StorageUnavailable);
  });
});
