import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { type Decimal, ONE, decimal, max, min } from '../../numbers/decimal.js';
import { HOUR, MINUTE } from '../../time.js';
import { atEqualTimes, countSteps, stepsOf } from './equal-times.js';
import { type ValueBucket, addSample } from './value-history.js';

/** A bucket of one sample each, at these minutes. */
const bucketsAt = (samples: readonly (readonly [number, string])[]): ValueBucket[] =>
  samples.map(([minute, value]) => addSample(undefined, minute * MINUTE, decimal(value)));

const shown = (points: ReturnType<typeof atEqualTimes>) =>
  points.map(({ at, value, high, low }) => [
    at / MINUTE,
    ...[value, high, low].map((one) => one.toFixed()),
  ]);

describe('a history at equal times', () => {
  it('has the last value at or before each time, and the extremes since the one before', () => {
    const buckets = bucketsAt([
      [1, '1.1'],
      [2, '0.9'],
      [5, '1.2'],
      [7, '1.3'],
    ]);
    const steps = { from: 0, to: 7 * MINUTE, step: 2 * MINUTE };
    expect(shown(atEqualTimes(buckets, steps, ONE))).toEqual([
      [0, '1', '1', '1'],
      [2, '0.9', '1.1', '0.9'],
      [4, '0.9', '0.9', '0.9'],
      [6, '1.2', '1.2', '1.2'],
      [7, '1.3', '1.3', '1.3'],
    ]);
  });

  it.each([
    ['nothing', 0, 1],
    ['ten seconds', MINUTE / 6, 1],
    ['ten minutes', 10 * MINUTE, 10],
    ['a thousand hours', 1000 * HOUR, 499],
  ])('has of %s equal steps of a minute or more', (_, length, count) => {
    const steps = stepsOf(1_700_000_000_123, 1_700_000_000_123 + length, 499);
    expect(countSteps(steps)).toBe(count);
  });

  it('loses no extreme, keeps the order, and begins and ends with its span', () => {
    const samples = fc.array(
      fc.tuple(fc.integer({ min: 1, max: 300 }), fc.integer({ min: 1, max: 999 })),
      {
        maxLength: 40,
      },
    );
    fc.assert(
      fc.property(samples, fc.integer({ min: 1, max: 60 }), (given, most) => {
        let minute = 0;
        const buckets = bucketsAt(
          given.map(([minutes, value]) => [(minute += minutes), String(value / 100)] as const),
        );
        const to = (minute + 1) * MINUTE;
        const points = atEqualTimes(buckets, stepsOf(0, to, most), ONE);
        expect([points[0]?.at, points.at(-1)?.at]).toEqual([0, to]);
        expect(points.length).toBeLessThanOrEqual(most + 1);
        const gaps = points.slice(1).map(({ at }, index) => at - (points[index]?.at ?? 0));
        expect(Math.max(...gaps) - Math.min(...gaps)).toBeLessThanOrEqual(1);
        const highest = (all: readonly { readonly high: Decimal }[]) =>
          all.reduce((most, { high }) => max(most, high), ONE).toFixed();
        const lowest = (all: readonly { readonly low: Decimal }[]) =>
          all.reduce((least, { low }) => min(least, low), ONE).toFixed();
        expect([highest(points), lowest(points)]).toEqual([highest(buckets), lowest(buckets)]);
        expect(points.at(-1)?.value).toEqual(buckets.at(-1)?.last ?? ONE);
      }),
      { numRuns: 100 },
    );
  });
});
