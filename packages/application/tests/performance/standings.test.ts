import { describe, expect, it } from '@jest/globals';
import {
  BASES,
  RANK_KINDS,
  type Scores,
  TIMEFRAMES,
  byAge,
  byScore,
  id,
  isContender,
} from '@slipstream/domain';
import fc from 'fast-check';
import type { Contestant } from '../../src/performance/ranks/contestants.js';
import { Standings } from '../../src/performance/ranks/standings.js';

const fraction = fc.bigInt(-2n, 2n);
const own = fc.record({
  performance: fc.option(fraction),
  trending: fc.integer({ min: -1, max: 1 }),
  top: fc.option(fraction),
});
/**
 * In the order of the timeframes: of as many followers in each, and many of them are those of the one before, as one object.
 */
const scored = fc
  .record({
    popular: fc.nat(2),
    each: fc.array(fc.record({ own, isOwn: fc.boolean() }), { minLength: 5, maxLength: 5 }),
  })
  .map(({ popular, each }) => {
    const found: Scores[] = [];
    for (const { own: one, isOwn } of each) {
      const before = found.at(-1);
      found.push(before && !isOwn ? before : { ...one, popular });
    }
    return found;
  });
const contestant = fc.record({
  pool: fc.constantFrom(...BASES),
  scored: fc.oneof({ weight: 5, arbitrary: scored }, { weight: 1, arbitrary: fc.constant([]) }),
});
/** What some strategies are now; undefined: not public any more. */
const minute = fc.array(
  fc.record({ strategy: fc.nat(7), is: fc.option(contestant, { nil: undefined, freq: 8 }) }),
  { maxLength: 8 },
);

describe('the standings', () => {
  it('rank in each timeframe as if it were the only one, whatever they kept of it and of the one before', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(minute, { maxLength: 6 }), async (minutes) => {
        const standings = new Standings(BASES[0]);
        const present = new Map<string, Contestant>();
        for (const changes of minutes) {
          for (const { strategy, is } of changes) {
            const strategyId = id<'strategy'>(`s${strategy}`);
            const next =
              is &&
              ({
                ...is,
                listing: { strategyId, createdAt: strategy % 3, categories: [] },
              } as unknown as Contestant);
            standings.put(strategyId, next);
            if (next) present.set(strategyId, next);
            else present.delete(strategyId);
          }
          const tables = await standings.tables(() => Promise.resolve());
          for (const [index, timeframe] of TIMEFRAMES.entries())
            for (const kind of RANK_KINDS) {
              const expected = new Map<string, number>();
              for (const pool of BASES) {
                const ranked = [...present]
                  .filter(([, one]) => one.pool === pool && one.scored.length > 0)
                  .map(([name, { listing, scored: all }]) => ({
                    ...{ name, listing, scores: all[index] as Scores },
                  }))
                  .filter((one) => isContender(kind, one.scores))
                  .sort(
                    (one, other) =>
                      byScore(kind)(one.scores, other.scores) || byAge(one.listing, other.listing),
                  );
                for (const [place, { name }] of ranked.entries()) expected.set(name, place + 1);
              }
              const places = tables?.get(timeframe)?.places[kind];
              if (!places) continue;
              const found = [...standings.slots]
                .filter(([, slot]) => (places[slot] ?? 0) > 0)
                .map(([name, slot]) => [name, places[slot]]);
              expect([timeframe, kind, new Map(found as [string, number][])]).toEqual([
                ...[timeframe, kind, expected],
              ]);
            }
        }
      }),
      { numRuns: 150 },
    );
  });
});
