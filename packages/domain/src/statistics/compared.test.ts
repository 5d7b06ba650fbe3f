import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { isoDay } from '../calendar.js';
import { id } from '../ids.js';
import { ONE } from '../numbers/decimal.js';
import { DAY, HOUR } from '../time.js';
import { closed, entryAt } from '../../tests/track-entries.js';
import { besideBenchmark } from './compared.js';
import { recordReader } from './record/record-reader.js';
import { strategyStatistics } from './strategy-statistics.js';

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

describe('the figures against a benchmark', () => {
  it('are of the same days of both, in every window, also where it begins between closes', () => {
    const aDay = fc.record({
      value: fc.option(fc.integer({ min: 50, max: 150 })),
      close: fc.option(fc.integer({ min: 50, max: 150 })),
    });
    const days = fc.array(aDay, { minLength: 4, maxLength: 30 });
    const weekly = fc.constantFrom(0, 2);
    fc.assert(
      fc.property(days, weekly, fc.nat(29), fc.nat(29), (all, free, one, other) => {
        const dateOf = (day: number) => isoDay(AT + day * DAY);
        const [from, to] = [Math.min(one, other), Math.min(all.length - 1, Math.max(one, other))];
        fc.pre(from <= to);
        const reader = recordReader(AT);
        for (const [day, { value }] of all.entries())
          if (value !== null) reader.add(entryAt(AT + day * DAY + HOUR, closed(`${value / 100}`)));
        const closes = new Map(
          all.flatMap(({ close }, day) => (close === null ? [] : [[dateOf(day), close] as const])),
        );
        const counts = (day: number): boolean => day % 7 < 7 - free;
        const found = strategyStatistics(reader.figures(), {
          ...{ from: dateOf(from), to: dateOf(to), daysPerYear: 365, riskFree: 0, minN: 2 },
          isTradingDay: (date) => counts((Date.parse(date) - AT) / DAY),
          benchmark: { stockId: id('spy'), closes },
        });
        const pairs: [own: number, theirs: number][] = [];
        let value = 1;
        let last: [day: number, value: number, close: number] | undefined;
        for (const [day, one] of all.entries()) {
          value = one.value === null ? value : one.value / 100;
          if (one.close === null || !counts(day) || day > to) continue;
          if (last && day >= from) pairs.push([value / last[1] - 1, one.close / last[2] - 1]);
          last = [day, value, one.close];
        }
        const mean = (list: readonly number[]) => list.reduce((a, b) => a + b, 0) / list.length;
        const [own, theirs] = [pairs.map(([mine]) => mine), pairs.map((pair) => pair[1])];
        const apart = pairs.map(([mine, its]) => (mine - mean(own)) * (its - mean(theirs)));
        const square = theirs.reduce((total, its) => total + (its - mean(theirs)) ** 2, 0);
        expect(found.tracking.n).toBe(pairs.length);
        if (pairs.length < 2 || square < 1e-6) return;
        const slope = apart.reduce((a, b) => a + b, 0) / square;
        expect(Number(found.beta.value) / Math.max(1, Math.abs(slope))).toBeCloseTo(
          slope / Math.max(1, Math.abs(slope)),
          6,
        );
      }),
      { numRuns: 300 },
    );
  });
});
