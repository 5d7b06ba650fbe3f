import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { type UserId, id } from '@slipstream/domain';
import { NOON, aBook, aToken, aUser } from '@slipstream/port-contracts';
import { openReader, openWriter } from '../../src/storage/connection.js';
import type { Sync } from '../../src/commits/log-sync.js';
import { migrate } from '../../src/migrations/migrate.js';
import { type SqlUnitOfWork, sqlUnitOfWork } from '../../src/storage/unit-of-work.js';
import { temporaryPaths } from './temporary-folder.js';

const newPath = temporaryPaths();

/** A disk that syncs when the test says so. */
function handDisk() {
  const underWay: { done(): void; failed(): void }[] = [];
  let duration = 5;
  let inline = 0;
  let isBroken = false;
  const sync: Sync = {
    requireInPlace: () => undefined,
    duration: () => duration,
    now: () => {
      inline += 1;
      if (isBroken) throw new Error('EIO');
    },
    later: () =>
      new Promise((resolve, reject) => {
        underWay.push({ done: resolve, failed: () => reject(new Error('EIO')) });
      }),
    close: () => undefined,
  };
  return {
    sync,
    becomesQuick: () => (duration = 0.1),
    breaks: () => (isBroken = true),
    syncing: () => underWay.length,
    inline: () => inline,
    end: (how: 'done' | 'failed' = 'done') => underWay.shift()?.[how](),
  };
}

/** Lets all that runs go on until it waits for the disk. */
async function turns(): Promise<void> {
  for (let turn = 0; turn < 30; turn += 1)
    await new Promise<void>((resolve) => setImmediate(resolve));
}

let path: string;
let disk: ReturnType<typeof handDisk>;
let storage: SqlUnitOfWork;
let lost: unknown[];
const log: string[] = [];

beforeEach(() => {
  path = newPath();
  const writer = openWriter(path);
  migrate(writer);
  disk = handDisk();
  lost = [];
  log.length = 0;
  storage = sqlUnitOfWork({
    writer,
    openReader: () => openReader(path),
    sync: disk.sync,
    onLost: (cause) => lost.push(cause),
    time: { now: () => now, wait: async () => undefined },
  });
});
let now = 0;

afterEach(async () => {
  for (let left = disk.syncing(); left > 0; left -= 1) disk.end();
  await storage.close();
});

const told = (name: string, asked: Promise<unknown>): void => {
  asked.then(
    () => log.push(name),
    (error: Error) => log.push(`${name}: ${error.name}`),
  );
};
const save = (name: string) =>
  storage.run(
    async ({ users, events }) => {
      await users.save(aUser({ id: id(name) }));
      await events.add({ kind: 'bot_deleted', botId: id(name), at: NOON });
    },
    { onCommit: () => log.push(`${name} committed`) },
  );
const found = async (
  reads: Pick<SqlUnitOfWork, 'read' | 'run'>,
  how: 'read' | 'run',
  name: string,
) => (await reads[how](({ users }) => users.find(id(name))))?.id;
const inFile = (name: UserId): boolean => {
  const reader = openReader(path);
  try {
    return reader.prepare('SELECT 1 FROM users WHERE id = ?').get(name) !== undefined;
  } finally {
    reader.close();
  }
};

describe('a commit on a slow disk', () => {
  it('is answered, published and told to memory when it is durable, not when it is written', async () => {
    storage.subscribe(() => log.push('event'));
    told('a', save('a'));
    await turns();
    expect([inFile(id('a')), log]).toEqual([true, []]);
    disk.end();
    await turns();
    expect(log).toEqual(['a committed', 'event', 'a']);
  });

  it('does not hold the next: that is decided by what was written, and both are answered in order', async () => {
    told('a', save('a'));
    await turns();
    told('b', save('b'));
    const seen = found(storage, 'run', 'a');
    told('read', seen);
    await turns();
    expect([inFile(id('b')), disk.syncing(), log]).toEqual([true, 1, []]);
    disk.end();
    await turns();
    expect([disk.syncing(), log]).toEqual([1, ['a committed', 'a']]);
    disk.end();
    await turns();
    expect(log).toEqual(['a committed', 'a', 'b committed', 'b', 'read']);
    expect(await seen).toBe('a');
  });

  it('holds what was refused because of it, and not what was rolled back', async () => {
    told('a', save('a'));
    await turns();
    const refused = storage.run(async ({ users }) => {
      await users.save(aUser({ id: id('b') }));
      if (await users.find(id('a'))) throw new Error('there is an a');
    });
    told('b', refused);
    await turns();
    expect([inFile(id('b')), log]).toEqual([false, []]);
    disk.end();
    await turns();
    expect(log).toEqual(['a committed', 'a', 'b: Error']);
  });

  it('is waited for when the storage is closed', async () => {
    told('a', save('a'));
    await turns();
    told('closed', storage.close());
    await turns();
    expect(log).toEqual([]);
    disk.end();
    await turns();
    expect(log).toEqual(['a committed', 'a', 'closed']);
  });

  it('ends a group that took twice as long as a sync, so that the rest is decided meanwhile', async () => {
    const ids = ['a', 'b', 'c', 'd'];
    for (const name of ids) {
      const work = storage.run(async ({ users }) => {
        await users.save(aUser({ id: id(name) }));
        now += 6;
      });
      told(name, work);
    }
    await turns();
    expect([storage.commits(), disk.syncing(), ids.map((name) => inFile(id(name)))]).toEqual([
      2,
      1,
      [true, true, true, true],
    ]);
    disk.end();
    await turns();
    expect(log).toEqual(['a', 'b']);
    disk.end();
    await turns();
    expect(log).toEqual(ids);
  });
});

describe('a read beside a commit that is not durable', () => {
  it('is answered with it when it is durable', async () => {
    told('a', save('a'));
    await turns();
    const reading = found(storage, 'read', 'a');
    told('read', reading);
    await turns();
    expect(log).toEqual([]);
    disk.end();
    await turns();
    expect(log).toEqual(['a committed', 'a', 'read']);
    expect(await reading).toBe('a');
  });

  it('is answered at once from records in memory that the commit did not write', async () => {
    const token = aToken();
    const strategyId = id<'strategy'>('strategy-1');
    told(
      'before',
      storage.run(async ({ tokens, books }) => {
        await tokens.save(token);
        await books.save(aBook(), []);
      }),
    );
    await turns();
    disk.end();
    await turns();
    told(
      'a',
      storage.run(({ books }) => books.save(aBook({ version: 1 }), [])),
    );
    await turns();
    told(
      'token',
      storage.read(({ tokens }) => tokens.findByDigest(token.digest)),
    );
    const book = storage.read(({ books }) => books.find(strategyId));
    told('book', book);
    await turns();
    expect(log).toEqual(['before', 'token']);
    disk.end();
    await turns();
    expect(log).toEqual(['before', 'token', 'a', 'book']);
    expect((await book)?.version).toBe(1);
  });
});

describe('a commit on a quick disk', () => {
  it('is durable before anything else runs', async () => {
    disk.becomesQuick();
    await Promise.all([save('a'), save('b')]);
    await storage.run(({ users }) => users.find(id('a')));
    expect([disk.inline(), disk.syncing()]).toEqual([1, 0]);
  });

  it('waits for a sync that is under way', async () => {
    told('a', save('a'));
    await turns();
    disk.becomesQuick();
    told('b', save('b'));
    await turns();
    expect([disk.inline(), log]).toEqual([0, []]);
    disk.end();
    await turns();
    disk.end();
    await turns();
    expect(log).toEqual(['a committed', 'a', 'b committed', 'b']);
  });
});

describe('a disk that does not keep what is written', () => {
  const asked = async (): Promise<void> => {
    await turns();
    told('written', save('written'));
    await turns();
    told('after it', save('after it'));
    told('read', found(storage, 'read', 'written'));
    await turns();
  };
  const answers = ['written: CommitsLost', 'after it: CommitsLost', 'read: StorageUnavailable'];

  it('leaves the outcome of every commit that is not confirmed unknown, and publishes none', async () => {
    storage.subscribe(() => log.push('event'));
    await asked();
    disk.end('failed');
    await turns();
    expect(log).toEqual(answers);
    expect(lost).toMatchObject([{ message: 'EIO' }]);
  });

  it('is never asked again, and nothing is committed or read any more', async () => {
    await asked();
    disk.end('failed');
    await turns();
    log.length = 0;
    told('later', save('later'));
    told('read', found(storage, 'read', 'written'));
    await turns();
    expect(log.toSorted()).toEqual(['later: StorageUnavailable', 'read: StorageUnavailable']);
    expect([inFile(id('later')), disk.syncing(), lost.length]).toEqual([false, 0, 1]);
  });

  it('takes back a group that is being decided', async () => {
    told('written', save('written'));
    await turns();
    let goOn = (): void => undefined;
    const gate = new Promise<void>((resolve) => (goOn = resolve));
    const deciding = storage.run(async ({ users }) => {
      await users.save(aUser({ id: id('deciding') }));
      await gate;
    });
    told('deciding', deciding);
    await turns();
    disk.end('failed');
    await turns();
    goOn();
    await turns();
    expect(log).toEqual(['written: CommitsLost', 'deciding: StorageUnavailable']);
    expect(inFile(id('deciding'))).toBe(false);
  });

  it('is found out by a quick sync too', async () => {
    disk.becomesQuick();
    disk.breaks();
    told('a', save('a'));
    await turns();
    told('b', save('b'));
    await turns();
    expect(log).toEqual(['a: CommitsLost', 'b: StorageUnavailable']);
    expect(lost).toHaveLength(1);
  });
});
