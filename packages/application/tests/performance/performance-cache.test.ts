import { describe, expect, it } from '@jest/globals';
import { openMemory } from '@slipstream/adapter-memory';
import { type ValueBucket, WHOLE_RECORD, addSample, decimal, id } from '@slipstream/domain';
import { NOON } from '@slipstream/port-contracts';
import { PerformanceCache } from '../../src/performance/performance-cache.js';

const strategyId = id<'strategy'>('steady');
const DAY_AND_YEAR = ['day', 'year'] as const;

/** A cache over a storage that answers another object each time, as one that holds nothing in memory does. */
function world(historiesAtHand?: number) {
  const cache = new PerformanceCache(historiesAtHand);
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
    ['at hand', undefined],
    ['packed', 0],
  ])('is not read again while its last bucket is equal, its history %s', async (_, atHand) => {
    const { save, ask } = world(atHand);
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
});
