import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { decimal } from '../numbers/decimal.js';
import { DAY } from '../time.js';
import { type ClaimedPoint, claimedAtEqualTimes, claimedPoints } from './claimed-history.js';

const CREATED = 100 * DAY;
const point = (day: number, value: string): ClaimedPoint => ({
  at: day * DAY,
  value: decimal(value),
});
const shown = (points: readonly ClaimedPoint[]) =>
  points.map(({ at, value }) => [at / DAY, value.toFixed()]);

describe('A claimed history', () => {
  it('is in units of its first point', () => {
    const points = claimedPoints([point(1, '10000'), point(2, '10500'), point(9, '7000')], CREATED);
    expect(shown(points)).toEqual([
      [1, '1'],
      [2, '1.05'],
      [9, '0.7'],
    ]);
  });

  it.each<[string, ClaimedPoint[], string]>([
    ['one point', [point(1, '1')], 'two points or more'],
    ['no point', [], 'two points or more'],
    ['two points of one time', [point(1, '1'), point(1, '2')], 'points[1].at must be later'],
    ['a step back', [point(1, '1'), point(3, '2'), point(2, '2')], 'points[2].at must be later'],
    [
      'a point at the creation',
      [point(1, '1'), point(100, '2')],
      'before the strategy was created',
    ],
  ])('is refused with %s', (_, points, why) => {
    expect(() => claimedPoints(points, CREATED)).toThrow(why);
  });

  it('keeps its shape in whatever unit it was given', () => {
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: 1, max: 1_000_000 }), { minLength: 2, maxLength: 20 }),
        fc.integer({ min: 1, max: 1_000 }),
        (values, unit) => {
          const scaled = (by: number) =>
            claimedPoints(
              values.map((value, index) => point(index, String(value * by))),
              CREATED,
            );
          expect(shown(scaled(unit))).toEqual(shown(scaled(1)));
        },
      ),
    );
  });
});

describe('Claimed values at equal times', () => {
  const points = claimedPoints(
    [point(1, '2'), point(3, '4'), point(4, '1'), point(9, '3')],
    CREATED,
  );
  const between = (from: number, to: number, step: number) =>
    claimedAtEqualTimes(points, { from: from * DAY, to: to * DAY, step: step * DAY });

  it('are those of the last point at or before them, with the extremes since the one before', () => {
    const read = between(1, 9, 4).map(({ at, value, high, low }) => [
      ...[at / DAY, value.toFixed()],
      ...[high.toFixed(), low.toFixed()],
    ]);
    expect(read).toEqual([
      [1, '1', '1', '1'],
      [5, '0.5', '2', '0.5'],
      [9, '1.5', '1.5', '1.5'],
    ]);
  });

  it('are all marked as claimed', () => {
    expect(between(2, 9, 1).every(({ claimed }) => claimed)).toBe(true);
  });

  it('are none before the first point', () => {
    expect(between(0, 9, 1)).toEqual([]);
  });
});
