import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { type StrategyId, id } from '@slipstream/domain';
import type { Stores } from '@slipstream/ports';
import { NOON, aBook, aToken, aUser } from '@slipstream/port-contracts';
import type BetterSqlite from 'better-sqlite3';
import fc from 'fast-check';
import { type BatchEnd, batchOf, makeBatch } from '../../src/commits/batch.js';
import type { Sync } from '../../src/commits/log-sync.js';
import type { Carrier } from '../../src/commits/sqlite-transaction.js';
import { WriterThread } from '../../src/commits/writer-thread.js';
import { openSqlite } from '../../src/open-sqlite.js';
import { LOG_PAGES, connectionOn, openReader, openWriter } from '../../src/storage/connection.js';
import { BatchRefused, CommitsLost } from '../../src/storage/failures.js';
import { type SqlUnitOfWork, sqlUnitOfWork } from '../../src/storage/unit-of-work.js';
import { type Step, everything, perform, worksInMoments } from '../works.js';
import { migratedPaths, temporaryPaths } from './temporary-folder.js';

/** The package as programs have it. */
const BUILT = new URL('../../dist/index.js', import.meta.url).href;

/** How many times more than `npm test` asks for; `npm run verify` says 60. */
const MORE = Number(process.env['TEST_RUNS'] ?? 1);

const newPath = temporaryPaths();
const { newPath: migratedCopy } = migratedPaths();

/** Makes a batch, on a connection of its own, when the test says so. */
function handCarrier(path: string) {
  const connection = connectionOn(openWriter(path));
  const underWay: ((how: BatchEnd) => void)[] = [];
  const carrier: Carrier = {
    isReady: () => true,
    carry: (writes) =>
      new Promise((resolve, reject) => {
        underWay.push((how) => {
          if (how === 'lost') reject(new CommitsLost(new Error('EIO')));
          else if (how === 'refused' || !makeBatch(connection, batchOf(writes)))
            reject(new BatchRefused());
          else resolve();
        });
      }),
    close: async () => void connection.handle.close(),
  };
  return {
    carrier,
    underWay: () => underWay.length,
    land: (how: BatchEnd = 'durable') => underWay.shift()?.(how),
  };
}

const QUICK: Sync = {
  requireInPlace: () => undefined,
  duration: () => 0,
  now: () => undefined,
  later: async () => undefined,
  close: () => undefined,
};

/** A database whose transactions are carried by hand. */
function carriedByHand({
  /** Without it nothing is carried. */
  carriedFrom,
  onLost,
  /** Milliseconds that each look at the clock takes. */
  tick = 0,
  sync = QUICK,
}: {
  readonly carriedFrom?: number | undefined;
  readonly onLost?: (cause: unknown) => void;
  readonly tick?: number;
  readonly sync?: Sync;
}) {
  let now = 0;
  const path = migratedCopy();
  const writer = openWriter(path);
  const hand = handCarrier(path);
  const storage = sqlUnitOfWork({
    writer,
    openReader: () => openReader(path),
    sync,
    ...(carriedFrom === undefined ? {} : { carrier: hand.carrier, carriedFrom }),
    onLost,
    time: { now: () => (now += tick), wait: turn },
  });
  return { ...hand, path, writer, storage };
}

const turn = () => new Promise<void>((resolve) => setImmediate(resolve));
/** Lets all that runs go on until it waits for what is carried. */
async function turns(): Promise<void> {
  for (let count = 0; count < 30; count += 1) await turn();
}

let db: ReturnType<typeof carriedByHand>;
let storage: SqlUnitOfWork;
let writer: BetterSqlite.Database;
let lost: unknown[];
const log: string[] = [];

beforeEach(() => {
  lost = [];
  log.length = 0;
  db = carriedByHand({ carriedFrom: 2, onLost: (cause) => lost.push(cause) });
  ({ storage, writer } = db);
});
afterEach(async () => {
  const closed = storage.close();
  for (let left = 0; left < 3; left += 1) {
    db.land();
    await turns();
  }
  await closed;
});

const told = (name: string, asked: Promise<unknown>): void => {
  asked.then(
    (answer) => log.push(answer === undefined ? name : `${name} ${String(answer)}`),
    (error: Error) => log.push(`${name}: ${error.name}`),
  );
};
/** The next version of a book, from memory where it is there; answers it. */
async function next({ books }: Pick<Stores, 'books'>, name: string): Promise<number> {
  const book = await books.find(id(name));
  const version = (book?.version ?? 0) + 1;
  await books.save(aBook({ strategyId: id(name), version }), []);
  return version;
}
const save = (name: string) =>
  storage.run(
    async (stores) => {
      const version = await next(stores, name);
      await stores.events.add({ kind: 'bot_deleted', botId: id(name), at: NOON });
      return version;
    },
    { onCommit: () => log.push(`${name} committed`) },
  );
/** Books in memory, so that works on them read nothing else. */
async function known(...names: readonly string[]): Promise<void> {
  for (const name of names) await save(name);
  log.length = 0;
}
const saveBoth = () => ['a', 'b'].map((name) => told(name, save(name)));
const versionOf = (name: string) =>
  storage.read(async ({ books }) => (await books.find(id(name)))?.version);
const versionInTables = (name: StrategyId) =>
  storage.read(
    async ({ books }) => (await books.all()).find((one) => one.strategyId === name)?.version,
  );

describe('a transaction of several works', () => {
  it('is answered, published and told to memory when others have made it durable', async () => {
    await known('a', 'b');
    storage.subscribe(() => log.push('event'));
    saveBoth();
    await turns();
    expect([db.underWay(), log]).toEqual([1, []]);
    db.land();
    await turns();
    expect(log).toEqual(['a committed', 'event', 'b committed', 'event', 'a 2', 'b 2']);
  });

  it('does not hold the next, which is decided by what it wrote, and carried after it', async () => {
    await known('a', 'b');
    saveBoth();
    await turns();
    saveBoth();
    await turns();
    expect([db.underWay(), log]).toEqual([1, []]);
    db.land();
    await turns();
    expect([db.underWay(), log]).toEqual([1, ['a committed', 'b committed', 'a 2', 'b 2']]);
    db.land();
    await turns();
    expect(log.slice(4)).toEqual(['a committed', 'b committed', 'a 3', 'b 3']);
  });

  it('is seen by a work that reads the tables, once it is there', async () => {
    await known('a', 'b');
    saveBoth();
    await turns();
    told(
      'all',
      storage.run(async ({ books }) => (await books.all()).map((one) => one.version).join()),
    );
    await turns();
    expect(log).toEqual([]);
    db.land();
    await turns();
    expect(log).toContain('all 2,2');
  });

  it('is made at once where a work reads what another one of it wrote', async () => {
    saveBoth();
    told(
      'all',
      storage.run(async ({ books }) => (await books.all()).length),
    );
    await turns();
    expect([db.underWay(), log.slice(-3)]).toEqual([0, ['a 1', 'b 1', 'all 2']]);
  });

  it('is made at once where there are fewer works than are worth the way', async () => {
    await known('a');
    told('a', save('a'));
    await turns();
    expect([db.underWay(), log]).toEqual([0, ['a committed', 'a 2']]);
  });

  it('is waited for when the storage is closed', async () => {
    await known('a', 'b');
    saveBoth();
    await turns();
    told('closed', storage.close());
    await turns();
    expect(log).toEqual([]);
    db.land();
    await turns();
    expect(log).toEqual(['a committed', 'b committed', 'a 2', 'b 2', 'closed']);
  });
});

describe('a read while a transaction is under way', () => {
  beforeEach(async () => {
    await storage.run(async ({ users, tokens }) => {
      await users.save(aUser({ id: id('eve') }));
      await tokens.save(aToken({ digest: 'digest', userId: id('eve') }));
    });
    await known('a', 'b', 'c');
    saveBoth();
    await turns();
  });

  it('of what it wrote is answered when that is durable', async () => {
    told('a is', versionOf('a'));
    await turns();
    expect(log).toEqual([]);
    db.land();
    await turns();
    expect(log).toContain('a is 2');
  });

  it('of the tables waits for it, and sees one moment', async () => {
    const both = storage.read(async ({ books }) => {
      const inMemory = (await books.find(id('a')))?.version;
      await turns();
      const inTables = (await books.all()).map((one) => one.version);
      return [inMemory, ...inTables].join();
    });
    told('seen', both);
    await turns();
    saveBoth();
    await turns();
    db.land();
    await turns();
    db.land();
    await turns();
    expect(log.filter((line) => line.startsWith('seen'))).toEqual(['seen 2,2,2,1']);
  });

  it('by whoever was answered with it sees one moment, whatever is made here in the same turn', async () => {
    const strange: string[] = [];
    for (let after = 0; after < 24; after += 1) {
      const { storage: own, land } = carriedByHand({ carriedFrom: 2 });
      const saveIn = (name: string) => own.run((stores) => next(stores, name));
      for (const name of ['a', 'b', 'c']) await saveIn(name);
      const [first] = [saveIn('a'), saveIn('b')];
      await turns();
      const last = saveIn('c');
      await turns();
      const read = first.then(async () => {
        for (let count = 0; count < after; count += 1) await Promise.resolve();
        return own.read(async ({ books }) => {
          const inMemory = (await books.find(id('c')))?.version;
          const inTables = (await books.all()).find((one) => one.strategyId === 'c')?.version;
          return [inMemory, inTables].join();
        });
      });
      land();
      const seen = await read;
      if (!['1,1', '2,2'].includes(seen)) strange.push(`${after}: ${seen}`);
      await last;
      await own.close();
    }
    expect(strange).toEqual([]);
  });

  it('of other records in memory waits for nothing', async () => {
    told(
      'user is',
      storage.read(async ({ tokens }) => (await tokens.findByDigest('digest'))?.userId),
    );
    await turns();
    expect(log).toEqual(['user is eve']);
  });
});

describe('a transaction that was not made', () => {
  beforeEach(() => known('a', 'b', 'c'));

  it('runs again at once, and then what was decided by it', async () => {
    saveBoth();
    await turns();
    saveBoth();
    await turns();
    db.land('refused');
    await turns();
    db.land();
    await turns();
    expect(log.filter((line) => /\d/.test(line))).toEqual(['a 2', 'b 2', 'a 3', 'b 3']);
    expect(await versionInTables(id('a'))).toBe(3);
  });

  it('is told to nobody before it ran again', async () => {
    storage.subscribe(() => log.push('event'));
    saveBoth();
    await turns();
    db.land('refused');
    expect(log).toEqual([]);
    await turns();
    expect(log).toEqual(['a committed', 'event', 'b committed', 'event', 'a 2', 'b 2']);
  });

  it('runs again one by one where the database refuses one of its works', async () => {
    saveBoth();
    told('c', save('c'));
    await turns();
    // Somebody else changes a row: the version that the work saw is not there any more.
    writer.prepare("UPDATE books SET version = 7 WHERE strategy_id = 'c'").run();
    db.land();
    await turns();
    expect(log.filter((line) => !line.includes('committed'))).toEqual(['a 2', 'b 2', 'c 8']);
  });

  it.each<[string, (stores: Stores) => Promise<unknown>]>([
    ['a work reads the tables', ({ books }) => books.all()],
    [
      'a work has many writes',
      async ({ books }) => {
        for (let n = 0; n < 60; n += 1)
          await books.save(aBook({ strategyId: id(`many-${n}`) }), []);
      },
    ],
    ['it ends', async () => undefined],
  ])('runs again one by one where it is begun here, because %s, and refused', async (_, last) => {
    const { storage: alone, writer: rows, carrier } = carriedByHand({ carriedFrom: 9 });
    const add = () => alone.run((stores) => next(stores, 'a'));
    await add();
    rows.prepare("UPDATE books SET version = 7 WHERE strategy_id = 'a'").run();
    const both = [add(), alone.run(last)];
    const [first, second] = await Promise.allSettled(both);
    expect(first).toEqual({ status: 'fulfilled', value: 8 });
    expect(second?.status).toBe('fulfilled');
    expect(carrier.isReady(false)).toBe(true);
    await alone.close();
  });

  it('is forgotten: a read that saw it begins anew', async () => {
    saveBoth();
    await turns();
    let reads = 0;
    const seen = storage.read(async ({ books }) => {
      reads += 1;
      return (await books.find(id('a')))?.version;
    });
    told('a is', seen);
    await turns();
    db.land('refused');
    await turns();
    expect([reads, log.filter((line) => line.startsWith('a is'))]).toEqual([2, ['a is 1']]);
  });

  it.each([
    ['reads nothing else', async () => 0],
    ['reads the tables after', async ({ books }: Stores) => (await books.all()).length],
  ])('lets a work that saw it run again, also one that %s and writes nothing', async (_, end) => {
    saveBoth();
    await turns();
    let goOn = (): void => undefined;
    const waits = new Promise<void>((resolve) => (goOn = resolve));
    let runs = 0;
    const looking = storage.run(async (stores) => {
      runs += 1;
      await stores.books.find(id('a'));
      await waits;
      return end(stores);
    });
    await turns();
    db.land('refused');
    await turns();
    goOn();
    await looking;
    expect(runs).toBe(2);
  });

  it('lets what was refused because of it run again, after it', async () => {
    saveBoth();
    await turns();
    const seen: (number | undefined)[] = [];
    const refused = storage.run(async ({ books }) => {
      seen.push((await books.find(id('a')))?.version);
      throw new TypeError('there is an a 2');
    });
    told('judged', refused);
    await turns();
    db.land('refused');
    await turns();
    expect(seen).toEqual([2, 2]);
    expect(log.filter((line) => !line.includes('committed'))).toEqual([
      'a 2',
      'b 2',
      'judged: TypeError',
    ]);
  });

  it('lets a work run again that saw it, has written, and throws', async () => {
    saveBoth();
    await turns();
    let goOn = (): void => undefined;
    const waits = new Promise<void>((resolve) => (goOn = resolve));
    let runs = 0;
    const thrown = storage.run(async (stores) => {
      runs += 1;
      await next(stores, 'c');
      await waits;
      throw new TypeError('no');
    });
    told('thrown', thrown);
    await turns();
    db.land('refused');
    await turns();
    goOn();
    await turns();
    expect([runs, log.at(-1)]).toEqual([2, 'thrown: TypeError']);
  });
});

describe('a transaction that is made here after all', () => {
  const record = {
    ...{ name: 'key', bodyMac: 'mac', userId: null, createdAt: NOON, sealedAnswer: null },
  };

  it.each([9, undefined])(
    'takes back what a refused work has changed at once, carried from %s',
    async (carriedFrom) => {
      const { storage: alone } = carriedByHand({ carriedFrom });
      const refused = alone.run(async ({ keptAnswers }) => {
        await keptAnswers.add(record, NOON - 1);
        throw new TypeError('no');
      });
      const kept = alone.run(({ users }) => users.save(aUser({ id: id('eve') })));
      expect((await Promise.allSettled([refused, kept])).map(({ status }) => status)).toEqual([
        'rejected',
        'fulfilled',
      ]);
      expect(await alone.read(({ keptAnswers }) => keptAnswers.find('key'))).toBeUndefined();
      await alone.close();
    },
  );

  it.each([1, 3])('waits for another process that writes, with %d works', async (count) => {
    const { storage: alone, path } = carriedByHand({ carriedFrom: 8 });
    const other = openWriter(path);
    other.exec('BEGIN IMMEDIATE');
    const asked = Array.from({ length: count }, (_, n) =>
      alone.run(({ books }) => books.save(aBook({ strategyId: id(`book-${n}`) }), [])),
    );
    await turns();
    other.exec('COMMIT');
    expect((await Promise.allSettled(asked)).map(({ status }) => status)).toEqual(
      asked.map(() => 'fulfilled'),
    );
    other.close();
    await alone.close();
  });

  it('makes many writes as it goes', async () => {
    const { storage: alone, writer: rows } = carriedByHand({ carriedFrom: 8 });
    const count = rows.prepare('SELECT count(*) FROM books').pluck();
    let most = 0;
    await alone.run(async ({ books }) => {
      for (let n = 0; n < 200; n += 1) {
        await books.save(aBook({ strategyId: id(`book-${n}`) }), []);
        most = Math.max(most, n - Number(count.get()));
      }
    });
    expect(most).toBeLessThan(60);
    await alone.close();
  });

  it('does not make what a work asked for that has ended', async () => {
    await known('a', 'b');
    saveBoth();
    await turns();
    const refused = storage.run(({ keptAnswers }) =>
      Promise.all([keptAnswers.add(record, NOON - 1), Promise.reject(new TypeError('no'))]),
    );
    told('refused', refused);
    await turns();
    db.land();
    await turns();
    expect(log).toContain('refused: TypeError');
    expect(await storage.read(({ keptAnswers }) => keptAnswers.find('key'))).toBeUndefined();
  });
});

describe('a read that ended while its query waits', () => {
  it('holds no snapshot', async () => {
    await known('a', 'b');
    saveBoth();
    await turns();
    const read = storage.read(({ books }) =>
      Promise.all([books.all(), Promise.reject(new TypeError('no'))]),
    );
    await expect(read).rejects.toThrow('no');
    db.land();
    await turns();
    told('closed', storage.close());
    await turns();
    expect(log).toContain('closed');
  });
});

describe('a transaction whose fate nobody knows', () => {
  it('leaves its works unanswered as lost, and nothing is committed or read any more', async () => {
    await known('a', 'b');
    saveBoth();
    await turns();
    told('read', versionOf('a'));
    told('next', save('c'));
    db.land('lost');
    await turns();
    expect(log.toSorted()).toEqual([
      'a: CommitsLost',
      'b: CommitsLost',
      'next: StorageUnavailable',
      'read: StorageUnavailable',
    ]);
    expect(lost).toHaveLength(1);
    await expect(save('a')).rejects.toThrow('could not be written');
  });
});

describe('the thread that writes', () => {
  it('is used from so many works on, and what it made is there after the next start', async () => {
    const path = newPath();
    const opened = await openSqlite({ path, carriedFrom: 2 });
    const users = Array.from({ length: 200 }, (_, n) => id<'user'>(`user-${n}`));
    // The first works begin before it is ready.
    for (let from = 0; from < users.length; from += 4)
      await Promise.all(
        users
          .slice(from, from + 4)
          .map((userId) => opened.run((stores) => stores.users.save(aUser({ id: userId })))),
      );
    await opened.close();
    const again = await openSqlite({ path });
    expect(await again.read((stores) => stores.users.list(users))).toHaveLength(200);
    await again.close();
  });

  /** What a program prints that saves with a thread, if it has one, and then has nothing else to do. */
  async function printedBy(before = ''): Promise<string> {
    const program = `
      ${before}
      const { openSqlite } = await import(${JSON.stringify(BUILT)});
      const storage = await openSqlite({ path: process.argv[1], carriedFrom: 2 });
      const save = () => storage.run(({ mails }) => mails.remove('none'));
      for (let round = 0; round < 50; round += 1) await Promise.all([save(), save()]);
      await storage.close();
      console.log('closed');`;
    const words = ['--input-type=module', '-e', program, newPath()];
    return (await promisify(execFile)(process.execPath, words)).stdout;
  }

  it('is waited for by a program that has nothing else to do, and then keeps it no longer', async () => {
    expect(await printedBy()).toBe('closed\n');
  });

  it('is done without where the system gives none', async () => {
    // As Node does it beyond the system's limit of threads.
    const withoutThreads = `
      const { default: threads } = await import('node:worker_threads');
      const { syncBuiltinESMExports } = await import('node:module');
      threads.Worker = class { constructor() { throw new Error('ERR_WORKER_INIT_FAILED'); } };
      syncBuiltinESMExports();`;
    expect(await printedBy(withoutThreads)).toBe('closed\n');
  });

  it('that ends amid a transaction leaves its fate unknown', async () => {
    const path = migratedCopy();
    const database = openWriter(path);
    const thread = new WriterThread(path, () => LOG_PAGES);
    await thread.start();
    expect(thread.isReady(false)).toBe(true);
    const carried = thread.carry([[{ sql: 'SELECT no_such_thing()', parameters: [] }, undefined]]);
    await expect(carried).rejects.toThrow(BatchRefused);
    const update = { sql: 'UPDATE stocks SET name = name', parameters: [] };
    const long = thread.carry(Array.from({ length: 500_000 }, () => [update, undefined]));
    thread.end();
    await expect(long).rejects.toThrow(CommitsLost);
    expect(thread.isReady(false)).toBe(false);
    await expect(thread.carry([[update, undefined]])).rejects.toThrow(BatchRefused);
    await thread.close();
    database.close();
  });
});

describe('works that are carried', () => {
  /** After how many turns, and how, what is under way ends. */
  const landing = fc.record({
    after: fc.nat({ max: 12 }),
    how: fc.oneof(
      { weight: 4, arbitrary: fc.constant('durable' as const) },
      { weight: 1, arbitrary: fc.constant('refused' as const) },
    ),
  });

  /** As one text, whatever the order of an object's fields. */
  const textOf = (found: unknown): string =>
    JSON.stringify(found, (_, value: unknown) =>
      value instanceof Map
        ? [...value]
        : value !== null && typeof value === 'object' && !Array.isArray(value)
          ? Object.fromEntries(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1)))
          : value,
    );

  /** The answers and all that is there after each work, where they run one after another. */
  async function oneByOne(works: readonly (readonly Step[])[]) {
    const plain = await openSqlite({ path: ':memory:' });
    const answers: unknown[] = [];
    const states = [textOf(await plain.read(everything))];
    for (const steps of works) {
      answers.push(await plain.run((stores) => perform(stores, steps)).catch(() => 'refused'));
      states.push(textOf(await plain.read(everything)));
    }
    await plain.close();
    return { answers, states };
  }

  it('end as if they ran one by one, and each read sees them as they were after one that is at least as late as those that were answered before', async () => {
    const ways = fc.record({
      tick: fc.constantFrom(0, 2),
      carriedFrom: fc.constantFrom(1, 3, undefined),
    });
    const landings = fc.array(landing, { minLength: 1, maxLength: 20 });
    await fc.assert(
      fc.asyncProperty(worksInMoments, landings, ways, async (moments, ends, way) => {
        const { tick, carriedFrom } = way;
        const { answers, states } = await oneByOne(moments.flat());
        const carried = carriedByHand({ tick, carriedFrom });
        let answered = 0;
        const asked: Promise<unknown>[] = [];
        const reads: Promise<void>[] = [];
        const strange: string[] = [];
        const read = async (): Promise<void> => {
          const before = answered;
          const seen = textOf(await carried.storage.read(everything));
          if (!states.slice(before).includes(seen)) strange.push(seen);
        };
        /** Whoever was answered reads next, in the same turn of the event loop. */
        const readSoon = async (after: number): Promise<void> => {
          for (let count = 0; count < after; count += 1) await Promise.resolve();
          await read();
        };
        let isDone = false;
        const landAll = async (): Promise<void> => {
          for (let at = 0; !isDone; at += 1) {
            const { after = 0, how } = ends[at % ends.length] ?? { how: 'durable' };
            for (let count = 0; count < after; count += 1) await turn();
            carried.land(how);
            await turn();
          }
        };
        const landed = landAll();
        for (const works of moments) {
          for (const steps of works)
            asked.push(
              carried.storage
                .run((stores) => perform(stores, steps))
                .catch((error: Error) =>
                  error.name === 'StorageUnavailable' ? 'unavailable' : 'refused',
                )
                .finally(() => {
                  answered += 1;
                  reads.push(readSoon(answered % 8));
                }),
            );
          reads.push(read());
          await turn();
          reads.push(read());
        }
        expect(await Promise.all(asked)).toEqual(answers);
        await Promise.all(reads);
        expect(strange).toEqual([]);
        expect(textOf(await carried.storage.read(everything))).toBe(states.at(-1));
        await carried.storage.close();
        isDone = true;
        await landed;
      }),
      { numRuns: 15 * MORE },
    );
  });
});
