import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { openMemory } from '@slipstream/adapter-memory';
import {
  type Decimal,
  TIMEFRAMES,
  type ValueBucket,
  WHOLE_RECORD,
  addSample,
  compact,
  decimal,
  id,
  performanceInUnits,
} from '@slipstream/domain';
import { NOON } from '@slipstream/port-contracts';
import { PerformanceCache } from '../../src/performance/performance-cache.js';

const strategyId = id<'strategy'>('steady');
const DAY_AND_YEAR = ['day', 'year'] as const;

/** A cache over a storage that answers another object each time, as one that holds nothing in memory does. */
function world(answered?: number) {
  const cache = new PerformanceCache(answered);
  const unitOfWork = openMemory();
  let lists = 0;
  return {
    save: (bucket: ValueBucket) =>
      unitOfWork.run(({ valueHistory }) => valueHistory.save(strategyId, bucket)),
    async ask() {
      const before = lists;
      const [performance] = await unitOfWork.read(({ valueHistory }) => {
        const copying = {
          ...valueHistory,
          lastOfEach: async (ids: Parameters<typeof valueHistory.lastOfEach>[0]) =>
            (await valueHistory.lastOfEach(ids)).map((bucket) => bucket && { ...bucket }),
          list: (...given: Parameters<typeof valueHistory.list>) => {
            lists += 1;
            return valueHistory.list(...given);
          },
        };
        const strategy = { strategyId, value: decimal('1'), baseline: WHOLE_RECORD };
        return cache.of({ valueHistory: copying }, [strategy], DAY_AND_YEAR, NOON);
      });
      return { performance, reads: lists - before };
    },
  };
}

describe('the performance of a strategy', () => {
  const first = addSample(undefined, NOON - 60_000, decimal('1.5'));

  it.each([
    ['also its answers', undefined],
    ['not its answers', 0],
  ])('is not read again while its last bucket is equal: %s are kept', async (_, answered) => {
    const { save, ask } = world(answered);
    await save(first);
    const before = await ask();
    expect(before.reads).toBeGreaterThan(0);
    expect(await ask()).toEqual({ performance: before.performance, reads: 0 });
  });

  it.each<[string, Partial<ValueBucket>]>([
    ['last', { last: decimal('1.25') }],
    ['lastAt', { lastAt: first.lastAt + 1 }],
    ['high', { high: decimal('2') }],
    ['low', { low: decimal('0.5') }],
    ['drawdown', { drawdown: decimal('0.75') }],
    ['start', { start: first.start + 60_000, lastAt: NOON }],
    ['length', { length: 2 * first.length }],
  ])('is read again when the %s of its last bucket is another', async (_, change) => {
    const { save, ask } = world();
    await save(first);
    await ask();
    await save({ ...first, ...change });
    expect((await ask()).reads).toBeGreaterThan(0);
  });

  it('is that of its moment again after the clock was set back, though no sample came', async () => {
    const unitOfWork = openMemory();
    await unitOfWork.run(async ({ valueHistory }) => {
      for (const [hours, value] of [
        [0, '1.1'],
        [3, '1.5'],
      ] as const) {
        const at = NOON + hours * 3_600_000;
        await valueHistory.save(strategyId, addSample(undefined, at, decimal(value)));
      }
    });
    const cache = new PerformanceCache();
    const pastAt = (hours: number) =>
      unitOfWork.read(async (stores) => {
        const valued = { strategyId, value: decimal('1.5'), baseline: WHOLE_RECORD };
        const now = NOON + hours * 3_600_000;
        const [found] = await cache.of(stores, [valued], ['day'], now);
        return found?.timeframes.day?.pastValue.toFixed();
      });
    expect([await pastAt(25), await pastAt(28), await pastAt(26)]).toEqual(['1.1', '1.5', '1.1']);
  });

  it('is the same whether each saved bucket continues its history or it is read as a whole', async () => {
    const value = fc.integer({ min: 0, max: 30 }).map((one) => decimal((one / 10).toFixed(1)));
    /** A sample after some milliseconds; some are saved by another process, and old ones merge. */
    const steps = fc.array(
      fc.record({
        after: fc.oneof(fc.nat(90_000), fc.nat(3_600_000), fc.nat(3 * 86_400_000)),
        value,
        isTold: fc.integer({ min: 0, max: 9 }).map((one) => one > 0),
        merges: fc.boolean(),
        isAsked: fc.integer({ min: 0, max: 3 }).map((one) => one > 0),
        now: fc.option(value),
        wait: fc.nat(100_000),
      }),
      { maxLength: 60 },
    );
    await fc.assert(fc.asyncProperty(steps, agrees), { numRuns: 150 });
  });
});

interface Step {
  readonly after: number;
  readonly value: Decimal;
  readonly isTold: boolean;
  readonly merges: boolean;
  readonly isAsked: boolean;
  readonly now: Decimal | null;
  readonly wait: number;
}

/** Plays the steps, and compares after each what the cache answers with what one answers that knows nothing. */
async function agrees(steps: readonly Step[]): Promise<void> {
  const told = new PerformanceCache();
  const unitOfWork = openMemory();
  let at = NOON;
  for (const { after, value, isTold, merges, isAsked, now, wait } of steps) {
    at += after;
    const [before, saved] = await unitOfWork.run(async ({ valueHistory }) => {
      const last = await valueHistory.last(strategyId);
      const bucket = addSample(last, at, value);
      await valueHistory.save(strategyId, bucket);
      return [last, bucket] as const;
    });
    if (isTold) told.saved(strategyId, before, saved);
    if (merges) await mergeOld(unitOfWork, at);
    at += wait;
    if (!isAsked) continue;
    const valued = { strategyId, value: now, baseline: WHOLE_RECORD };
    await unitOfWork.read(async (stores) => {
      const [one] = await told.of(stores, [valued], TIMEFRAMES, at);
      const [other] = await new PerformanceCache().of(stores, [valued], TIMEFRAMES, at);
      expect(one).toEqual(other);
      const { over } = await told.glance(stores, valued, TIMEFRAMES, at);
      const exact = TIMEFRAMES.map((timeframe) => other?.timeframes[timeframe]);
      expect(over).toEqual(exact.map((figures) => figures && performanceInUnits(figures)));
    });
  }
}

async function mergeOld(unitOfWork: ReturnType<typeof openMemory>, now: number): Promise<void> {
  await unitOfWork.run(async ({ valueHistory }) => {
    const all = await valueHistory.list(strategyId, -Infinity);
    const { removed, saved } = compact(all, now);
    await valueHistory.remove(strategyId, removed);
    for (const bucket of saved) await valueHistory.save(strategyId, bucket);
  });
}
