import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { MINUTE, id } from '@slipstream/domain';
import { NOON, aBucket, aNotification, aUser, anAccountBucket } from '@slipstream/port-contracts';
import type { Stores } from '@slipstream/ports';
import { openReader, openWriter } from '../../src/storage/connection.js';
import { migrate } from '../../src/migrations/migrate.js';
import { type SqlUnitOfWork, sqlUnitOfWork } from '../../src/storage/unit-of-work.js';
import { temporaryPaths } from './temporary-folder.js';

const newPath = temporaryPaths();
const owner = id<'user'>('user-1');
const strategyId = id<'strategy'>('strategy-1');
const botId = id<'bot'>('bot-1');
/** More than two pieces of a long list. */
const MANY = 1_203;
/** Milliseconds that go by with every look at the clock: a machine on which everything takes long. */
const SLOW = 10;

let storage: SqlUnitOfWork;
let [now, step, turns] = [0, 0, 0];

beforeEach(() => {
  const path = newPath();
  const writer = openWriter(path);
  migrate(writer);
  storage = sqlUnitOfWork({
    writer,
    openReader: () => openReader(path),
    time: { now: () => (now += step), wait: async () => undefined },
    turn: async () => {
      turns += 1;
    },
  });
});
afterEach(() => storage.close());

/** How often a work let others have the event loop, when every step of it takes long. */
const restsOf = async (work: () => Promise<unknown>): Promise<number> => {
  [step, turns] = [SLOW, 0];
  await work();
  step = 0;
  return turns;
};
const notification = (index: number) =>
  aNotification({ id: id(`n-${index}`), userId: owner, createdAt: NOON + index });
const saveMany = () =>
  storage.run(async ({ notifications }) => {
    for (let index = 0; index < MANY; index += 1) await notifications.save(notification(index));
  });

describe('a long transaction', () => {
  it('lets other tasks run while it reads a long list, which comes complete and in order', async () => {
    await saveMany();
    const unread = () => storage.read(({ notifications }) => notifications.unread(owner));
    expect(await restsOf(unread)).toBeGreaterThanOrEqual(2);
    const expected = Array.from({ length: MANY }, (_, index) => `n-${MANY - 1 - index}`);
    expect((await unread()).map((one) => one.id)).toEqual(expected);
  });

  it('rests between reads, and still sees one moment', async () => {
    await saveMany();
    const counts: number[] = [];
    let wrote = false;
    await restsOf(() =>
      storage.read(async ({ notifications }) => {
        for (let round = 0; round < 3; round += 1) {
          counts.push((await notifications.unread(owner)).length);
          if (!wrote) await storage.run((stores) => stores.notifications.remove(owner));
          wrote = true;
        }
      }),
    );
    expect(new Set(counts)).toEqual(new Set([MANY]));
  });

  it('rests while it writes many rows, in one transaction', async () => {
    const before = storage.commits();
    expect(await restsOf(saveMany)).toBeGreaterThan(100);
    expect(storage.commits()).toBe(before + 1);
    const remove = () => storage.run(({ notifications }) => notifications.remove(owner));
    await restsOf(remove);
    expect(await storage.read(({ notifications }) => notifications.unread(owner))).toEqual([]);
  });

  it.each([
    [
      'the value history of a strategy',
      async (index: number, { valueHistory }: Stores) =>
        valueHistory.save(strategyId, aBucket({ start: NOON + index * MINUTE })),
      (starts: readonly number[], { valueHistory }: Stores) =>
        valueHistory.remove(strategyId, starts),
    ],
    [
      'the history of a bot',
      async (index: number, { botHistory }: Stores) =>
        botHistory.save(botId, anAccountBucket({ start: NOON + index * MINUTE })),
      (starts: readonly number[], { botHistory }: Stores) => botHistory.remove(botId, starts),
    ],
  ])('rests while it removes many samples of %s, as after a stop', async (_, save, remove) => {
    const each = Array.from({ length: MANY }, (_, index) => index);
    await storage.run(async (stores) => {
      for (const index of each) await save(index, stores);
    });
    const starts = each.map((index) => NOON + index * MINUTE);
    const lone = await restsOf(() => storage.run(async () => undefined));
    const removing = await restsOf(() => storage.run((stores) => remove(starts, stores)));
    expect(removing - lone).toBeGreaterThanOrEqual(2);
  });

  it('does not rest while it has few uses, so a decision about an order sees one moment of the market', async () => {
    const lone = await restsOf(() => storage.run(async () => undefined));
    const few = await restsOf(() =>
      storage.run(async ({ users }) => {
        for (let index = 0; index < 60; index += 1)
          await users.save(aUser({ id: id(`user-${index}`) }));
      }),
    );
    expect(few).toBe(lone);
  });

  it('is rolled back completely when it fails after a rest', async () => {
    const failing = restsOf(() =>
      storage.run(async ({ notifications }) => {
        for (let index = 0; index < MANY; index += 1) await notifications.save(notification(index));
        throw new Error('no');
      }),
    );
    await expect(failing).rejects.toThrow('no');
    step = 0;
    expect(turns).toBeGreaterThan(100);
    expect(await storage.read(({ notifications }) => notifications.unread(owner))).toEqual([]);
  });
});
