import { describe, expect, it } from '@jest/globals';
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
    const points = [AT, AT + DAY + HOUR, AT + 2 * DAY, AT + 3 * DAY, AT + 9 * DAY].map(point);
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
});
