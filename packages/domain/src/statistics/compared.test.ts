import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { isoDay } from '../calendar.js';
import { id } from '../ids.js';
import { ONE } from '../numbers/decimal.js';
import { DAY, HOUR } from '../time.js';
import { besideBenchmark } from './compared.js';

const AT = 1_772_582_400_000; // 2026-03-04 00:00 UTC
const point = (at: number) => ({ at, value: ONE, high: ONE, low: ONE });

describe('a history beside a benchmark', () => {
  it('has the close of each day, or the last one before it, and none before the first', () => {
    const closes = new Map([
      ['2026-03-07', 120],
      ['2026-03-05', 100.5],
    ]);
    const points = [AT, AT + DAY + HOUR, AT + 2 * DAY, AT + 3 * DAY + 1, AT + 9 * DAY].map(point);
    const beside = besideBenchmark(points, { stockId: id('aapl'), closes });
    expect(beside.map(({ benchmark }) => benchmark)).toEqual([
      null,
      '100.5',
      '100.5',
      '120',
      '120',
    ]);
    expect(beside.map(({ at }) => at)).toEqual(points.map(({ at }) => at));
  });

  it('moves over whole days as the closes do: at midnight a value is that of the day that ends there', () => {
    const price = fc.integer({ min: 1, max: 1_000 });
    fc.assert(
      fc.property(fc.array(price, { minLength: 2, maxLength: 40 }), (prices) => {
        const closes = new Map(prices.map((close, day) => [isoDay(AT + day * DAY), close]));
        const ends = prices.map((_, day) => point(AT + (day + 1) * DAY));
        const beside = besideBenchmark(ends, { stockId: id('aapl'), closes });
        expect(beside.map(({ benchmark }) => benchmark)).toEqual(prices.map(String));
      }),
    );
  });
});
