import { afterAll, describe, expect, it } from '@jest/globals';
import { type Bot, NO_LIMITS, decimal, id } from '@slipstream/domain';
import { NOON, aBot } from '@slipstream/port-contracts';
import { openReader, openWriter } from '../../src/storage/connection.js';
import { migrate } from '../../src/migrations/migrate.js';
import { sqlUnitOfWork } from '../../src/storage/unit-of-work.js';
import { noCache } from './no-cache.js';
import { temporaryPaths } from './temporary-folder.js';

const newPath = temporaryPaths();
const path = newPath();
const writer = openWriter(path);
migrate(writer);
const storage = sqlUnitOfWork({ writer, openReader: () => openReader(path) });
/** Sees what the rows say, and no record in memory. */
const rows = sqlUnitOfWork({
  writer: openWriter(path),
  openReader: () => openReader(path),
  records: noCache,
});
afterAll(async () => {
  await storage.close();
  await rows.close();
});

const CHANGES: Readonly<Record<string, Partial<Bot>>> = {
  'a wake-up': { nextRunAt: NOON, updatedAt: NOON + 1 },
  'its status': { status: 'rebalancing', condition: 'active', cycle: 1, drift: decimal('0.1') },
  'a fill': {
    heldParts: new Map([
      [id<'stock'>('stock-1'), { kept: decimal('0'), own: decimal('2'), seenAt: NOON }],
    ]),
  },
  'its settings': {
    name: 'renamed',
    limits: { ...NO_LIMITS, maxOrdersPerDay: 3 },
    denyStocks: [id<'stock'>('stock-2')],
    dryRun: true,
  },
  'its allocations': {
    allocations: [{ strategyId: id<'strategy'>('strategy-9'), percent: decimal('0.5') }],
  },
  nothing: {},
  'what it had before': { name: null, drift: null, nextRunAt: null, heldParts: new Map() },
};

describe('a bot whose changes are written column by column', () => {
  const bot = aBot({ id: id('bot-of-columns') });
  let expected = bot;
  it('is whole when it is new', async () => {
    await storage.run(({ bots }) => bots.save(bot));
    expect(await rows.read(({ bots }) => bots.find(bot.id))).toEqual(bot);
  });

  it.each(Object.entries(CHANGES))('has %s in its row', async (_, change) => {
    expected = { ...expected, ...change };
    await storage.run(({ bots }) => bots.save(expected));
    expect(await rows.read(({ bots }) => bots.find(bot.id))).toEqual(expected);
    const [{ strategyId } = { strategyId: id<'strategy'>('') }] = expected.allocations;
    expect(await rows.read(({ bots }) => bots.mirroring(strategyId))).toEqual([bot.id]);
  });

  it('has a row again when it is saved after it was removed', async () => {
    await storage.run(({ bots }) => bots.remove(bot.id));
    await storage.run(({ bots }) => bots.save(expected));
    expect(await rows.read(({ bots }) => bots.find(bot.id))).toEqual(expected);
  });

  it('is as before when the work that changed it throws', async () => {
    const failed = storage.run(async ({ bots }) => {
      await bots.save({ ...expected, cycle: 99 });
      throw new Error('no');
    });
    await expect(failed).rejects.toThrow('no');
    await storage.run(({ bots }) => bots.save({ ...expected, attempts: 7 }));
    expect(await rows.read(({ bots }) => bots.find(bot.id))).toEqual({ ...expected, attempts: 7 });
  });

  it('counts by status once each time', async () => {
    const count = (): number =>
      (
        writer.prepare(`SELECT sum(count) AS count FROM counts WHERE name LIKE 'bots %'`).get() as {
          count: number;
        }
      ).count;
    for (const status of ['running', 'rebalancing', 'running'] as const)
      await storage.run(({ bots }) => bots.save({ ...expected, status, condition: 'active' }));
    expect(count()).toBe(1);
  });
});
