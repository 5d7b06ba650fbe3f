import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import {
  NO_STRETCH,
  type Stretch,
  type ValueBucket,
  type ValueWindow,
  decimal,
  maxDrawdown,
  pastValue,
  performanceOf,
  unchangedUntil,
  valueWindows,
  withBucket,
} from '../../index.js';
import { MINUTE } from '../../time.js';

/** Buckets of whole minutes with gaps, and values that are not negative. */
const someBuckets = fc
  .array(
    fc.record({
      gap: fc.integer({ min: 0, max: 3 }),
      low: fc.integer({ min: 0, max: 100 }),
      rise: fc.integer({ min: 0, max: 60 }),
      last: fc.integer({ min: 0, max: 100 }),
    }),
    { maxLength: 60 },
  )
  .map((rows) => {
    let start = 0;
    return rows.map(({ gap, low, rise, last }): ValueBucket => {
      start += (gap + 1) * MINUTE;
      const high = low + rise;
      const within = low + Math.round((rise * last) / 100);
      const drawdown = low > 0 ? decimal((rise / (100 * high)).toFixed(6)) : decimal('0');
      return {
        start,
        length: MINUTE,
        last: decimal(String(within)),
        lastAt: start + (last % 60) * 1000,
        high: decimal(String(high)),
        low: decimal(String(low)),
        drawdown,
      };
    });
  });

const stretchOf = (buckets: readonly ValueBucket[], before = NO_STRETCH): Stretch =>
  buckets.reduce(withBucket, before);

/** The window that begins at `from`, made of the first buckets; the others were added later. */
function windowOf(made: readonly ValueBucket[], added: readonly ValueBucket[], from: number) {
  const window: ValueWindow = valueWindows(made)(from);
  return { ...window, added: stretchOf(added, window.added) };
}

describe('a stored window answers what its buckets say', () => {
  it('at every later moment, with buckets added and others still apart', () => {
    fc.assert(
      fc.property(
        someBuckets,
        fc.nat({ max: 60 }),
        fc.nat({ max: 60 }),
        fc.nat({ max: 100 }),
        fc.array(fc.nat({ max: 3 * MINUTE }), { maxLength: 30 }),
        fc.option(fc.integer({ min: 0, max: 100 }).map((value) => decimal(String(value)))),
        (buckets, made, joined, begin, moves, now) => {
          const [one, two] = [Math.min(made, joined), Math.max(made, joined)];
          let from = begin * MINUTE;
          const window = windowOf(buckets.slice(0, one), buckets.slice(one, two), from);
          for (const move of moves) {
            from += move;
            const known = performanceOf(window, from, stretchOf(buckets.slice(two)), now);
            if (!known) continue;
            expect(known.pastValue.toFixed()).toBe(pastValue(buckets, from).toFixed());
            expect(known.maxDrawdown.toFixed()).toBe(maxDrawdown(buckets, from, now).toFixed());
          }
        },
      ),
      { numRuns: 300 },
    );
  });

  it('the same at every moment until the time it gives', () => {
    fc.assert(
      fc.property(
        someBuckets,
        fc.constantFrom(0, 1, 5, 60),
        fc.constantFrom(0, 1, 5, 60),
        fc.constantFrom(0, 2, 20),
        (buckets, made, joined, begin) => {
          const [one, two] = [Math.min(made, joined), Math.max(made, joined)];
          const from = begin * MINUTE - 1;
          const window = windowOf(buckets.slice(0, one), buckets.slice(one, two), from);
          const recent = stretchOf(buckets.slice(two));
          const answered = performanceOf(window, from, recent, null);
          if (!answered) return;
          const until = unchangedUntil(window, from, recent);
          expect(until).toBeGreaterThan(from);
          const last = Math.min(until, 1000 * MINUTE) - 1;
          for (const later of [last, Math.floor((from + last) / 2)])
            expect(performanceOf(window, later, recent, null)).toEqual(answered);
        },
      ),
      { numRuns: 300 },
    );
  });

  it('knows a number of later moments, and is never empty instead of unknown', () => {
    const buckets = Array.from({ length: 100 }, (_, n): ValueBucket => {
      const value = decimal(String(100 - n));
      const start = n * MINUTE;
      const flat = { last: value, high: value, low: value, drawdown: decimal('0') };
      return { start, length: MINUTE, lastAt: start, ...flat };
    });
    const window = valueWindows(buckets)(0);
    expect(performanceOf(window, 10 * MINUTE, NO_STRETCH, null)?.pastValue.toFixed()).toBe('90');
    expect(performanceOf(window, 50 * MINUTE, NO_STRETCH, null)).toBeUndefined();
    expect(
      performanceOf(valueWindows([])(0), 50 * MINUTE, NO_STRETCH, null)?.pastValue.toFixed(),
    ).toBe('1');
  });
});
