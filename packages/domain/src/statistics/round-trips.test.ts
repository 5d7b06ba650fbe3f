import { describe, expect, it } from '@jest/globals';
import { id } from '../ids.js';
import { MINUTE } from '../time.js';
import type { RoundTrip } from './record/holdings.js';
import { type RoundTripFigures, roundTripFigures, roundTripsBySide } from './round-trips.js';

const SPAN = { from: '2026-01-01', to: '2026-01-31' };

const trip = (result: number, minutes: readonly [number, number] = [0, 1]): RoundTrip => ({
  ...{ stockId: id('AAA'), side: 'long', result },
  ...{ openedAt: minutes[0] * MINUTE, closedAt: minutes[1] * MINUTE },
});

/** The values of the figures, as numbers; null without a value. */
const valuesOf = (trips: readonly RoundTrip[]): Record<string, number | null> =>
  Object.fromEntries(
    Object.entries(roundTripFigures(trips, SPAN)).map(([name, { value }]) => [
      name,
      value === null ? null : Number(value),
    ]),
  );

const near = (value: number): number => expect.closeTo(value, 10) as unknown as number;

/**
 * LEAN (02225bc) Tests/Common/Statistics/TradeStatisticsTests.cs: profits and minutes restated. Not ours: the deviation of
 * profits and the drawdown of closed trades.
 */
const LEAN: readonly (readonly [string, readonly RoundTrip[], Record<string, number | null>])[] = [
  [
    // Theirs has 10 as the profit factor without a loss; no number is honest there.
    'ThreeWinners',
    [trip(20, [0, 20]), trip(20, [10, 40]), trip(10, [30, 40])],
    {
      ...{ count: 3, winRate: 1, expectancy: near(50 / 3), largestWin: 20, maxConsecutiveWins: 3 },
      ...{ profitFactor: null, averageLoss: null, payoff: null, maxConsecutiveLosses: 0 },
      averageDays: near(1200 / 86_400),
    },
  ],
  [
    'ThreeLosers',
    [trip(-20, [0, 20]), trip(-20, [10, 40]), trip(-10, [30, 40])],
    {
      ...{ count: 3, winRate: 0, expectancy: near(-50 / 3), largestLoss: -20 },
      ...{ maxConsecutiveLosses: 3, profitFactor: 0, largestWin: null, payoff: null },
    },
  ],
  [
    'TwoLosersOneWinner',
    [trip(-20, [0, 20]), trip(-20, [10, 20]), trip(10, [30, 40])],
    {
      ...{ count: 3, winRate: near(1 / 3), expectancy: -10, averageWin: 10, averageLoss: -20 },
      ...{ payoff: 0.5, profitFactor: 0.25, maxConsecutiveWins: 1, maxConsecutiveLosses: 2 },
      averageDays: near(800 / 86_400),
    },
  ],
];

describe('the figures of round trips', () => {
  it.each(LEAN)('%s', (_, trips, expected) => {
    expect(valuesOf(trips)).toMatchObject(expected);
  });

  it('test_calculate_expectancy (freqtrade c9ae5e1); its ratio is not ours', () => {
    const trips = [100, 200, 50, -150, 300, -100, 80, -30].map((result) => trip(result));
    expect(valuesOf(trips)).toMatchObject({
      ...{ expectancy: 56.25, winRate: 0.625, profitFactor: near(2.607142857142857) },
    });
  });

  it('count a result of zero, which is neither won nor lost and ends a row', () => {
    expect(valuesOf([trip(1), trip(0), trip(1), trip(-1)])).toMatchObject({
      ...{ count: 4, winRate: near(2 / 3), expectancy: 0.25, maxConsecutiveWins: 1 },
    });
    const { winRate, profitFactor, payoff } = roundTripFigures([trip(0)], SPAN);
    for (const figure of [winRate, profitFactor, payoff]) expect(figure.value).toBeNull();
  });

  it('name the reason where they have no value', () => {
    const gapOf = (trips: readonly RoundTrip[], name: keyof RoundTripFigures) =>
      roundTripFigures(trips, SPAN)[name].gap;
    expect(gapOf([], 'profitFactor')).toBe('no_round_trips');
    expect(gapOf([trip(1)], 'profitFactor')).toBe('no_losses');
    expect(gapOf([trip(-1)], 'payoff')).toBe('no_wins');
    expect(gapOf([trip(-1)], 'largestWin')).toBe('no_wins');
    expect(gapOf([trip(0)], 'winRate')).toBe('all_even');
  });

  it('stand apart by side and by stock', () => {
    const { all, long, short, byStock } = roundTripsBySide(
      [
        ...[trip(1), { ...trip(-2), side: 'short' as const }],
        { ...trip(3), stockId: id<'stock'>('0AA') },
      ],
      SPAN,
    );
    expect([all, long, short].map(({ count }) => count.value)).toEqual(['3', '2', '1']);
    expect(byStock.map(({ stockId, expectancy }) => [stockId, expectancy.value])).toEqual([
      ['0AA', '3'],
      ['AAA', '-0.5'],
    ]);
  });
});
