import { describe, expect, it } from '@jest/globals';
import { RANK_KINDS, type Scores, byAge, byScore, id, isContender } from '@slipstream/domain';
import fc from 'fast-check';
import { Order } from '../../src/performance/ranks/order.js';

/** Near each other, so that binary floats cannot tell many of them apart. */
const fraction = fc
  .record({
    base: fc.constantFrom(0n, 1n, -1n, 10n ** 18n, -(10n ** 18n), 10n ** 36n),
    more: fc.bigInt(-3n, 3n),
  })
  .map(({ base, more }) => base + more);
const contestant = fc.record({
  scores: fc.record({
    performance: fc.option(fraction),
    popular: fc.nat(3),
    trending: fc.integer({ min: -2, max: 2 }),
    top: fc.option(fraction),
  }),
  createdAt: fc.nat(3),
  pool: fc.nat(2),
});

describe('the order of ranks', () => {
  it('has the largest score first and the older of equal ones, in each pool from 1 on', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(contestant, { maxLength: 60 }), async (made) => {
        const all = made.map((one, slot) => ({
          ...one,
          slot,
          strategyId: id<'strategy'>(`s${slot}`),
        }));
        const inPools = [0, 1, 2].map((pool) => all.filter((one) => one.pool === pool).sort(byAge));
        for (const kind of RANK_KINDS) {
          const expected = inPools.map((pool) =>
            pool
              .filter(({ scores }) => isContender(kind, scores))
              .sort((one, other) => byScore(kind)(one.scores, other.scores) || byAge(one, other))
              .map(({ slot }) => slot),
          );
          const order = new Order(kind);
          await order.update(
            {
              pools: inPools.map((pool) => pool.map(({ slot }) => slot)),
              scoresOf: (slot) => all[slot]?.scores as Scores,
              slots: all.length,
            },
            () => Promise.resolve(),
          );
          expect([...order.sorted]).toEqual(expected.flat());
          const places = new Array<number>(all.length).fill(0);
          for (const pool of expected)
            for (const [index, slot] of pool.entries()) places[slot] = index + 1;
          expect([...order.places]).toEqual(places);
        }
      }),
      { numRuns: 300 },
    );
  });
});
