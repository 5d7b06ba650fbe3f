import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { sortInTurns } from '../../src/performance/sort-in-turns.js';

describe('sorting in turns', () => {
  it('orders as one sort does, and lets other tasks run meanwhile', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 0, max: 2_600 }),
        fc.integer({ min: 1, max: 50 }),
        async (count, different) => {
          const items = Array.from({ length: count }, (_, index) => ({
            key: (index * 7919) % different,
            index,
          }));
          let turns = 0;
          const breathe = async (): Promise<void> => void (turns += 1);
          const compare = (first: { key: number }, second: { key: number }) =>
            first.key - second.key;
          expect(await sortInTurns(items, compare, breathe)).toEqual(items.toSorted(compare));
          expect(turns).toBeGreaterThanOrEqual(Math.floor(count / 500));
        },
      ),
      { numRuns: 30 },
    );
  });
});
