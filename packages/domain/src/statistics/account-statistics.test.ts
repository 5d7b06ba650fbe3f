import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { id } from '../ids.js';
import type { BotOrder } from '../mirroring/bot.js';
import type { AccountBucket } from '../mirroring/history/account-history.js';
import { ZERO, decimal } from '../numbers/decimal.js';
import { isoDay } from '../calendar.js';
import { finish } from '../steps.js';
import { DAY, HOUR, MINUTE } from '../time.js';
import { accountStatistics } from './account-statistics.js';
import type { Figure } from './figure.js';

const START = 20_000 * DAY + 9 * HOUR;

type Row = readonly [equity: string, flow: string | null, target: string | null];

/** A reading a day, in the shape [equity, flow, target]. */
const bucketsOf = (rows: readonly Row[]): AccountBucket[] =>
  rows.map(([equity, flow, target], index) => ({
    start: START + index * DAY,
    length: MINUTE,
    at: START + index * DAY,
    equity: decimal(equity),
    cash: ZERO,
    flow: flow === null ? null : decimal(flow),
    target: target === null ? null : decimal(target),
    unheld: null,
  }));

const order = (action: 'buy' | 'sell', more: Partial<BotOrder> = {}): BotOrder => ({
  id: id('order'),
  botId: id('bot'),
  cycle: 1,
  stockId: id('AAA'),
  action,
  amount: decimal('10'),
  limitPrice: null,
  closes: false,
  intent: '',
  tradeIds: [],
  strategyPrice: decimal('100'),
  plannedPrice: null,
  status: 'filled',
  filledAmount: decimal('10'),
  filledPrice: decimal('101'),
  fee: null,
  reason: null,
  createdAt: START + HOUR,
  updatedAt: START + HOUR,
  ...more,
});

const statisticsOf = (rows: readonly Row[], orders: readonly BotOrder[] = [], from?: string) =>
  finish(
    accountStatistics(bucketsOf(rows), orders, {
      ...{ to: isoDay(START + (rows.length - 1) * DAY), daysPerYear: 365, riskFree: 0, minN: 2 },
      ...(from === undefined ? {} : { from }),
      isTradingDay: () => true,
    }),
  );

const textOf = (value: number): string => value.toFixed(15);

const valueOf = ({ value, gap }: Figure): number | string | null => (value ? Number(value) : gap);

describe("the statistics of a bot's account", () => {
  it('take flows out: what came in is no gain', () => {
    const { totalReturn, bestDay, worstDay } = statisticsOf([
      ['1000', '0', '1'],
      ['1600', '500', '1.1'],
      ['1320', '0', '0.9'],
      ['820', '-500', '0.9'],
    ]);
    // 1000 -> 1100 (a tenth), 1600 -> 1320, and nothing while 500 left.
    expect(valueOf(totalReturn)).toBeCloseTo(1.1 * 0.825 - 1, 11);
    expect([valueOf(bestDay), valueOf(worstDay)]).toEqual([0.1, -0.175]);
  });

  it('stand beside those of the target, with causes that sum to the difference', () => {
    const rows: Row[] = [
      ['10000', '0', '1'],
      ['10400', '0', '1.05'],
    ];
    const { totalReturn, target, tracking } = statisticsOf(rows, [order('buy'), order('sell')]);
    expect([valueOf(totalReturn), valueOf(target.totalReturn)]).toEqual([0.04, 0.05]);
    expect(valueOf(tracking.total)).toBeCloseTo(-0.01, 11);
    // A dollar more for each of ten shares bought, a dollar more for each sold.
    expect(valueOf(tracking.slippage)).toBe(0);
    expect(tracking.slippage.n).toBe(2);
    const bought = statisticsOf(rows, [order('buy')]).tracking;
    expect([valueOf(bought.slippage), valueOf(bought.other)]).toEqual([-0.001, -0.009]);
    expect([bought.fees, bought.delay, bought.notHeld].map(valueOf)).toEqual([
      ...['not_measured', 'not_measured', 'not_measured'],
    ]);
  });

  it('tell delay, slippage and fees apart where the orders do', () => {
    const rows: Row[] = [
      ['10000', '0', '1'],
      ['10400', '0', '1.05'],
    ];
    const paid = { plannedPrice: decimal('100.4'), fee: decimal('2') };
    const { tracking } = statisticsOf(rows, [order('buy', paid), order('sell', { fee: ZERO })]);
    expect([tracking.delay, tracking.slippage, tracking.fees].map(valueOf)).toEqual([
      ...[-0.0004, 0.0004, -0.0002],
    ]);
    expect([tracking.delay, tracking.slippage, tracking.fees].map(({ n }) => n)).toEqual([1, 2, 2]);
    const quiet = statisticsOf(rows).tracking;
    expect([quiet.delay, quiet.slippage, quiet.fees].map(valueOf)).toEqual(
      ['0', '0', '0'].map(Number),
    );
    expect(valueOf(quiet.other)).toBe(valueOf(quiet.total));
  });

  it('sum to the difference, to the last digit', () => {
    const prices = fc
      .integer({ min: 1, max: 999_999 })
      .map((cents) => decimal(String(cents / 100)));
    const orders = fc.array(
      fc
        .record({
          strategyPrice: fc.option(prices),
          plannedPrice: fc.option(prices),
          filledPrice: fc.option(prices),
          fee: fc.option(prices),
        })
        .map((more) => order('buy', more)),
      { maxLength: 5 },
    );
    const equities = fc.array(prices, { minLength: 2, maxLength: 5 });
    const tiny = decimal('0.01');
    /** The fee is 4e-19 of an account that lost nearly all. */
    const nearlyLost = ['0.17', '5889.54', '0.01'].map(decimal);
    const cheap = order('buy', { filledPrice: tiny, fee: tiny });
    fc.assert(
      fc.property(equities, orders, (values, given) => {
        const rows = values.map((value): Row => [
          value.toFixed(),
          '0',
          value.times(decimal('0.7')).toFixed(),
        ]);
        const { total, ...causes } = statisticsOf(rows, given).tracking;
        const sum = Object.values(causes).reduce(
          (all, { value }) => all.plus(decimal(value ?? '0')),
          ZERO,
        );
        expect(sum.toFixed()).toBe(total.value);
      }),
      { examples: [[nearlyLost, [cheap]]] },
    );
  });

  it('leave nothing to other, over any span, where what was not held is all that kept it from its target', () => {
    const percents = fc.integer({ min: -60, max: 90 }).map((percent) => percent / 100);
    const days = fc.array(
      fc.record({ target: percents, missed: percents, flow: fc.integer({ min: -2, max: 9 }) }),
      { minLength: 1, maxLength: 40 },
    );
    fc.assert(
      fc.property(days, (story) => {
        let [equity, level] = [10_000, 1];
        const gains = [0];
        const rows: [string, string, string][] = [[String(equity), '0', String(level)]];
        for (const { target, missed, flow } of story) {
          const gain = (equity * missed * Math.min(1, 1 + target)) / 2;
          const before = equity * (1 + target) + gain;
          equity = before + (flow * before) / 10;
          level *= 1 + target;
          gains.push(gain);
          rows.push([equity, equity - before, level].map(textOf) as (typeof rows)[number]);
        }
        const buckets = bucketsOf(rows).map((bucket, index) => ({
          ...bucket,
          unheld: { notHeld: decimal(textOf(gains[index] ?? 0)), leverageAndCaps: ZERO },
        }));
        const { total, notHeld, other } = finish(
          accountStatistics(buckets, [], {
            ...{ to: isoDay(START + story.length * DAY), daysPerYear: 365, riskFree: 0, minN: 2 },
            isTradingDay: () => true,
          }),
        ).tracking;
        if (total.value === null) return;
        const size =
          1 +
          Math.abs(Number(notHeld.value)) +
          Math.max(...rows.map((row) => Number(row[2]))) / level;
        expect(Math.abs(Number(other.value))).toBeLessThan(1e-6 * size);
      }),
    );
  });

  it('tell what was not held and what caps took apart, of the readings that know it', () => {
    const rows: Row[] = [
      ['10000', '0', '1'],
      ['11000', '1000', '1.1'],
      ['11000', '0', '1.2'],
      ['11110', '0', '1.2'],
    ];
    const gains = [null, ['-1000', '250'], ['110', '-220'], null] as const;
    const buckets = bucketsOf(rows).map((bucket, index) => {
      const [notHeld, capped] = gains[index] ?? [];
      const unheld =
        notHeld === undefined || capped === undefined
          ? null
          : { notHeld: decimal(notHeld), leverageAndCaps: decimal(capped) };
      return { ...bucket, unheld };
    });
    const terms = { daysPerYear: 365, riskFree: 0, minN: 2 } as const;
    const request = { ...terms, isTradingDay: () => true };
    const to = isoDay(START + 3 * DAY);
    const { tracking } = finish(accountStatistics(buckets, [], { ...request, to }));
    // Of 10,000 before the first, which grew from 1.1 to 1.2 since; of 11,000 before the second, at a level of 1 both times.
    expect([tracking.notHeld, tracking.leverageAndCaps]).toMatchObject([
      { value: '-0.0990909090909', n: 2 },
      { value: '0.00727272727273', n: 2 },
    ]);
    const from = isoDay(START + 2 * DAY);
    const later = finish(accountStatistics(buckets, [], { ...request, from, to })).tracking;
    expect([later.notHeld, later.leverageAndCaps]).toMatchObject([
      { value: '0.01', n: 1 },
      { value: '-0.02', n: 1 },
    ]);
  });

  it('know the falls of the kept readings, also inside a day', () => {
    const buckets = bucketsOf([
      ['1000', '0', '1'],
      ['1100', '0', '1'],
      ['990', '0', '1.2'],
      ['1200', '0', '1.08'],
    ]).map((bucket, index) => ({ ...bucket, at: START + (index < 2 ? 0 : DAY) + index }));
    const { maxDrawdown, drawdowns, target } = finish(
      accountStatistics(buckets, [], {
        ...{ to: isoDay(START + DAY), daysPerYear: 365, riskFree: 0, minN: 2 },
        isTradingDay: () => true,
      }),
    );
    expect(valueOf(maxDrawdown)).toBeCloseTo(0.1, 11);
    expect(valueOf(target.maxDrawdown)).toBeCloseTo(0.1, 11);
    expect(drawdowns).toMatchObject([{ start: isoDay(START), end: isoDay(START + DAY), days: 1 }]);
  });

  it('count fills of the span only, and only those that follow a trade', () => {
    const rows: Row[] = [
      ['10000', '0', '1'],
      ['10000', '0', '1'],
      ['10000', '0', '1'],
    ];
    const orders = [
      order('buy', { updatedAt: START + DAY + HOUR }),
      order('buy'),
      order('buy', { updatedAt: START + DAY + HOUR, strategyPrice: null }),
      order('buy', { updatedAt: START + DAY + HOUR, filledPrice: null }),
    ];
    const { tracking } = statisticsOf(rows, orders, isoDay(START + DAY));
    expect(tracking.slippage).toMatchObject({ n: 1, value: '-0.001' });
  });

  it('begin after the last flow that is not known', () => {
    const { from, totalReturn } = statisticsOf([
      ['1000', '0', '1'],
      ['9000', null, '1'],
      ['9900', '0', '1.1'],
    ]);
    expect(from).toBe(isoDay(START + DAY));
    expect(valueOf(totalReturn)).toBeCloseTo(0.1, 11);
  });

  it.each<[string, readonly Row[], string]>([
    ['without a reading', [], 'no_days'],
    [
      'where an account had nothing',
      [
        ['0', '0', '1'],
        ['100', '100', '1'],
        ['110', '0', '1'],
      ],
      'no_days',
    ],
    [
      'while flows are not known',
      [
        ['1000', '0', '1'],
        ['1000', null, '1.2'],
      ],
      'unknown_flows',
    ],
  ])('have no value %s', (_, rows, gap) => {
    const { totalReturn, sharpe, tracking } = statisticsOf(rows);
    expect([totalReturn, tracking.total, tracking.other].map(valueOf)).toEqual([gap, gap, gap]);
    expect(sharpe.value).toBeNull();
  });

  it('have no difference without a target', () => {
    const { tracking, target } = statisticsOf([
      ['1000', '0', null],
      ['1100', '0', null],
    ]);
    expect([target.totalReturn, tracking.total].map(valueOf)).toEqual(['no_target', 'no_target']);
  });
});
