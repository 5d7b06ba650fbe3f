import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { isoDay } from '../calendar.js';
import { decimal, decimalText } from '../numbers/decimal.js';
import { DAY, HOUR } from '../time.js';
import { closed, entryAt, fill } from '../../tests/track-entries.js';
import type { Figure } from './figure.js';
import { recordReader } from './record/record-reader.js';
import { type StrategyStatistics, strategyStatistics } from './strategy-statistics.js';

const START = 20_000 * DAY;

const text = (value: number): string => decimalText(decimal(value.toFixed(15)));

/** The statistics of a record whose days close after these returns, `days` days from its start on. */
function statisticsOf(returns: readonly number[], days = returns.length): StrategyStatistics {
  const reader = recordReader(START);
  let value = 1;
  for (const [at, one] of returns.entries()) {
    const before = value;
    value *= 1 + one;
    const [high, low] = [Math.max(before, value), Math.min(before, value)].map(text);
    const drawdown = text(Math.max(0, 1 - value / before));
    const samples = { high: high ?? '', low: low ?? '', drawdown, gross: '0', held: '0' };
    reader.add(entryAt(START + at * DAY + HOUR, closed(text(value), samples)));
  }
  return strategyStatistics(reader.figures(), {
    ...{ to: isoDay(START + (days - 1) * DAY), daysPerYear: 365, riskFree: 0.01, minN: 2 },
    isTradingDay: () => true,
  });
}

type Name = {
  [Key in keyof StrategyStatistics]: StrategyStatistics[Key] extends Figure ? Key : never;
}[keyof StrategyStatistics];

/** Figures of the set of returns, whatever their order. */
const UNORDERED = [
  ...['totalReturn', 'volatility', 'sharpe', 'sortino', 'probabilisticSharpe'],
  ...['minimumTrackRecord', 'bestDay', 'worstDay', 'cagr'],
] as const satisfies readonly string[] as readonly Name[];

const near = (one: Figure, other: Figure): boolean =>
  one.gap === other.gap &&
  one.n === other.n &&
  Math.abs(Number(one.value) - Number(other.value)) <=
    1e-7 * Math.max(1e-3, Math.abs(Number(other.value)));

const returnsOf = (most: number) =>
  fc.array(
    fc.integer({ min: -80, max: 90 }).map((permille) => permille / 1000),
    { minLength: 2, maxLength: most },
  );

describe('statistics of daily returns', () => {
  it('do not depend on the order of the days, except those of falls and months', () => {
    const shuffled = returnsOf(120).chain((returns) =>
      fc.tuple(
        fc.constant(returns),
        fc.shuffledSubarray(returns, { minLength: returns.length, maxLength: returns.length }),
      ),
    );
    fc.assert(
      fc.property(shuffled, ([returns, other]) => {
        const [one, two] = [statisticsOf(returns), statisticsOf(other)];
        expect(UNORDERED.filter((name) => !near(one[name], two[name]))).toEqual([]);
      }),
      { numRuns: 60 },
    );
  });

  it('of one day more compound its return, and no fall becomes smaller', () => {
    const last = fc.integer({ min: -80, max: 90 }).map((permille) => permille / 1000);
    fc.assert(
      fc.property(returnsOf(60), last, (returns, one) => {
        const [before, after] = [statisticsOf(returns), statisticsOf([...returns, one])];
        const [grown, whole] = [before, after].map(({ totalReturn }) => Number(totalReturn.value));
        expect(after.totalReturn.n).toBe(before.totalReturn.n + 1);
        expect(whole).toBeCloseTo((1 + (grown ?? NaN)) * (1 + one) - 1, 9);
        const [fell, fallen] = [before, after].map(({ maxDrawdown }) => Number(maxDrawdown.value));
        expect(fallen).toBeGreaterThanOrEqual(fell ?? NaN);
        const [best, better] = [before, after].map(({ bestDay }) => Number(bestDay.value));
        expect(better).toBeCloseTo(Math.max(best ?? NaN, one), 9);
      }),
      { numRuns: 60 },
    );
  });

  it('of one day more without a value are those of a return of zero', () => {
    fc.assert(
      fc.property(returnsOf(60), (returns) => {
        const silent = statisticsOf(returns, returns.length + 1);
        const still = statisticsOf([...returns, 0]);
        expect(UNORDERED.filter((name) => !near(silent[name], still[name]))).toEqual([]);
        expect(silent.underwaterDaysNow.value).toBe(still.underwaterDaysNow.value);
        expect(silent.monthly).toEqual(still.monthly);
        expect(silent.drawdowns).toEqual(still.drawdowns);
      }),
      { numRuns: 60 },
    );
  });

  it('name the earlier of two equal falls first, whatever the noise of doubles', () => {
    for (const days of [4, 5]) {
      const { drawdowns } = statisticsOf([-0.078, 0.042, 0.042, -0.078], days);
      expect(drawdowns?.map(({ depth }) => depth)).toEqual(['0.078', '0.078']);
      expect(drawdowns?.map(({ start }) => start)).toEqual(
        drawdowns?.map(({ start }) => start).toSorted(),
      );
    }
  });

  it('do not depend on the stock in which a round trip was made', () => {
    const trips = fc.array(
      fc.record({
        stock: fc.constantFrom('AAA', 'BBB', 'CCC'),
        price: fc.integer({ min: 50, max: 200 }),
      }),
      { maxLength: 20 },
    );
    fc.assert(
      fc.property(trips, (all) => {
        const of = (name: (stock: string) => string) => {
          const reader = recordReader(START);
          for (const [at, { stock, price }] of all.entries()) {
            const [own, from] = [name(stock), START + at * DAY];
            reader.add(entryAt(from, fill('buy', '1', { price: '1', stock: own })));
            reader.add(
              entryAt(from + HOUR, fill('sell', '1', { price: text(price / 100), stock: own })),
            );
          }
          return strategyStatistics(reader.figures(), {
            ...{ to: isoDay(START + 40 * DAY), daysPerYear: 365, riskFree: 0, minN: 2 },
            isTradingDay: () => true,
          }).roundTrips;
        };
        const apart = of((stock) => stock);
        expect(of(() => 'AAA').all).toEqual(apart.all);
        const counted = apart.byStock.reduce((sum, { count }) => sum + Number(count.value), 0);
        expect(counted).toBe(all.length);
      }),
      { numRuns: 60 },
    );
  });
});
