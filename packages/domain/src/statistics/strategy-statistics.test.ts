import { describe, expect, it } from '@jest/globals';
import { dayStart } from '../calendar.js';
import { id } from '../ids.js';
import { DAY, HOUR } from '../time.js';
import { closed, entryAt, fill, opened, started } from '../../tests/track-entries.js';
import { type RecordedEntry, recordReader } from './record/record-reader.js';
import {
  type StatisticsRequest,
  strategySeries,
  strategyStatistics,
} from './strategy-statistics.js';

const isWeekday = (date: string): boolean => ![0, 6].includes(new Date(date).getUTCDay());
const ALWAYS = { daysPerYear: 365, isTradingDay: () => true, riskFree: 0, minN: 2 } as const;
const STOCKS = { ...ALWAYS, daysPerYear: 252, isTradingDay: isWeekday } as const;

/** A day's end, 22 hours into the day. */
const ends = (date: string, value: string, samples?: Record<string, string>): RecordedEntry =>
  entryAt(dayStart(date) + 22 * HOUR, closed(value, samples));
/** A day whose only sample is its last. */
const flat = (date: string, value: string): RecordedEntry =>
  ends(date, value, { high: value, low: value, drawdown: '0', gross: '0', held: '0' });

function statisticsOf(
  entries: readonly RecordedEntry[],
  request: StatisticsRequest,
  createdAt = dayStart('2026-01-01'),
) {
  const reader = recordReader(createdAt);
  for (const entry of entries) reader.add(entry);
  const figures = reader.figures();
  return { ...strategyStatistics(figures, request), series: strategySeries(figures, request) };
}

describe('the daily series', () => {
  it('carries the last value forward, from the first value of the segment', () => {
    const { series, totalReturn } = statisticsOf(
      [flat('2026-01-02', '1.1'), flat('2026-01-04', '1.21')],
      { ...ALWAYS, to: '2026-01-05' },
    );
    expect(series).toEqual([
      { date: '2026-01-01', value: '1', return: '0' },
      { date: '2026-01-02', value: '1.1', return: '0.1' },
      { date: '2026-01-03', value: '1.1', return: '0' },
      { date: '2026-01-04', value: '1.21', return: '0.1' },
      { date: '2026-01-05', value: '1.21', return: '0' },
    ]);
    const span = { from: '2026-01-01', to: '2026-01-05' };
    expect(totalReturn).toEqual({ value: '0.21', n: 5, ...span, gap: null });
  });

  it('leaves out days without a session: their move counts in the next one', () => {
    // 2026-01-03 is a Saturday.
    const { series } = statisticsOf(
      [flat('2026-01-02', '1.1'), flat('2026-01-03', '1.2'), flat('2026-01-05', '1.21')],
      { ...STOCKS, to: '2026-01-05' },
    );
    expect(series.map(({ date, return: change }) => [date, change])).toEqual([
      ['2026-01-01', '0'],
      ['2026-01-02', '0.1'],
      ['2026-01-05', '0.1'],
    ]);
  });

  it('begins a window at the close before it', () => {
    const { series, totalReturn } = statisticsOf(
      [flat('2026-01-02', '1.1'), flat('2026-01-05', '1.21')],
      { ...ALWAYS, from: '2026-01-04', to: '2026-01-05' },
    );
    expect(series.map(({ return: change }) => change)).toEqual(['0', '0.1']);
    expect(totalReturn).toMatchObject({ value: '0.1', from: '2026-01-04' });
  });

  it('never reaches across the start of a segment', () => {
    const at = dayStart('2026-01-03') + HOUR;
    const { series, from } = statisticsOf(
      [
        ...[flat('2026-01-02', '1.1'), entryAt(at - 1, opened()), entryAt(at, started('2'))],
        ...[flat('2026-01-03', '2.2')],
      ],
      { ...ALWAYS, from: '2026-01-01', to: '2026-01-03' },
    );
    expect(from).toBe('2026-01-03');
    expect(series).toEqual([{ date: '2026-01-03', value: '2.2', return: '0.1' }]);
  });

  it('has no figure while the next segment opens, and none before it', () => {
    const entries = [flat('2026-01-02', '1.1'), entryAt(dayStart('2026-01-03'), opened())];
    const { from, totalReturn, maxDrawdown, roundTrips, exposure, drawdowns } = statisticsOf(
      entries,
      { ...ALWAYS, to: '2026-01-09' },
    );
    expect(from).toBeNull();
    for (const figure of [totalReturn, maxDrawdown, exposure])
      expect(figure).toMatchObject({ value: null, n: 0, gap: 'no_days' });
    expect(roundTrips.all.count.value).toBe('0');
    expect(drawdowns).toBeNull();
  });
});

describe('ratios', () => {
  it('have no value where no day differs, whatever the risk-free return', () => {
    const entries = [flat('2026-01-02', '1'), flat('2026-01-04', '1')];
    const figures = statisticsOf(entries, { ...ALWAYS, riskFree: 0.02, to: '2026-01-10' });
    for (const name of ['sharpe', 'sortino', 'probabilisticSharpe', 'minimumTrackRecord'] as const)
      expect(figures[name]).toMatchObject({ value: null, gap: 'zero_deviation' });
  });
});

describe('falls', () => {
  it('are of samples, not of closes, and begin at the first value', () => {
    const day = (date: string, close: string, high: string, low: string, drawdown: string) =>
      ends(date, close, { high, low, drawdown, gross: '0', held: '0' });
    const { maxDrawdown, drawdowns, underwaterDays, underwaterDaysNow } = statisticsOf(
      [
        day('2026-01-01', '0.95', '0.96', '0.9', '0.05'),
        day('2026-01-03', '1.2', '1.25', '0.95', '0.04'),
        day('2026-01-05', '1.2', '1.22', '0.75', '0.3'),
        day('2026-01-06', '1.25', '1.25', '1.2', '0'),
        day('2026-01-08', '1.3', '1.6', '1.28', '0.2'),
      ],
      { ...ALWAYS, to: '2026-01-10' },
    );
    expect(drawdowns).toEqual([
      { start: '2026-01-03', valley: '2026-01-05', end: '2026-01-06', depth: '0.4', days: 3 },
      { start: '2026-01-08', valley: '2026-01-08', end: null, depth: '0.2', days: 2 },
      { start: '2026-01-01', valley: '2026-01-01', end: '2026-01-03', depth: '0.1', days: 2 },
    ]);
    expect(maxDrawdown).toMatchObject({ value: '0.4', n: 5 });
    expect([underwaterDays.value, underwaterDaysNow.value]).toEqual(['3', '2']);
  });

  it('begin on the last day at the peak, over which its value is carried forward', () => {
    // Ten days in cash at the peak, a weekend among them; then a position that falls on the 15th, a Thursday.
    const entries = [flat('2026-01-05', '1.2'), flat('2026-01-15', '1.1'), flat('2026-01-20', '1')];
    const startOf = (request: StatisticsRequest) => {
      const { drawdowns, underwaterDays, underwaterDaysNow } = statisticsOf(entries, request);
      return [drawdowns?.[0]?.start, underwaterDays.value, underwaterDaysNow.value];
    };
    expect(startOf({ ...ALWAYS, to: '2026-01-20' })).toEqual(['2026-01-14', '6', '6']);
    expect(startOf({ ...ALWAYS, from: '2026-01-08', to: '2026-01-15' })).toEqual([
      '2026-01-14',
      '1',
      '1',
    ]);
    // Over a weekend it lasts until the Friday, because only days of sessions count.
    const [rise, , fall] = entries;
    const weekend = [rise, flat('2026-01-19', '1.1'), fall].flatMap((entry) => entry ?? []);
    const stocks = statisticsOf(weekend, { ...STOCKS, to: '2026-01-20' });
    expect(stocks.drawdowns).toMatchObject([{ start: '2026-01-16', days: 4 }]);
  });

  it('begin on the day of a peak that ends below it', () => {
    const samples = { high: '1.25', low: '0.95', drawdown: '0.04', gross: '0', held: '0' };
    const { drawdowns, underwaterDaysNow } = statisticsOf([ends('2026-01-03', '1.2', samples)], {
      ...{ ...ALWAYS, to: '2026-01-10' },
    });
    const [, fall] = drawdowns ?? [];
    expect(fall).toEqual({
      ...{ start: '2026-01-03', valley: '2026-01-03', end: null, depth: '0.04', days: 7 },
    });
    expect(underwaterDaysNow.value).toBe('7');
  });

  it('end with a day that ends at its peak', () => {
    const samples = { high: '1.2', low: '1', drawdown: '0.1', gross: '0', held: '0' };
    const { drawdowns, underwaterDaysNow } = statisticsOf([ends('2026-01-03', '1.2', samples)], {
      ...{ ...ALWAYS, to: '2026-01-10' },
    });
    expect(drawdowns).toMatchObject([{ start: '2026-01-03', end: '2026-01-03', depth: '0.1' }]);
    expect(underwaterDaysNow.value).toBe('0');
  });

  it('are unknown over days from before samples were kept', () => {
    const { maxDrawdown, calmar, drawdowns, meanGross, exposure } = statisticsOf(
      [flat('2026-01-02', '1.1'), ends('2026-01-03', '1')],
      { ...ALWAYS, to: '2026-01-04' },
    );
    for (const figure of [maxDrawdown, calmar, meanGross])
      expect(figure).toMatchObject({ value: null, gap: 'old_days' });
    expect(drawdowns).toBeNull();
    expect(exposure.value).toBe('0');
  });
});

describe('the figures of returns', () => {
  const many = Array.from({ length: 100 }, (_, at) =>
    flat(
      new Date(dayStart('2026-01-01') + at * DAY).toISOString().slice(0, 10),
      String(1 + (at % 7) / 100 + at / 1000),
    ),
  );
  const to = '2026-04-10';

  it('need min_n returns, and a yearly growth 90 days', () => {
    const short = statisticsOf(many, { ...ALWAYS, minN: 30, to: '2026-01-29' });
    for (const name of ['sharpe', 'sortino', 'probabilisticSharpe', 'minimumTrackRecord'] as const)
      expect(short[name]).toMatchObject({ value: null, n: 29, gap: 'few_returns' });
    expect(short.volatility.value).not.toBeNull();
    const long = statisticsOf(many, { ...ALWAYS, minN: 30, to: '2026-01-30' });
    expect(long.sharpe.gap).toBeNull();
    expect(long.cagr.gap).toBe('short_span');
    expect(statisticsOf(many, { ...ALWAYS, to: '2026-03-31' }).cagr.gap).toBe('short_span');
    expect(statisticsOf(many, { ...ALWAYS, to: '2026-04-01' }).cagr.gap).toBeNull();
  });

  it('are null at zero deviation, also where only the rounding of doubles varies', () => {
    const rising = Array.from({ length: 40 }, (_, at) =>
      flat(
        new Date(dayStart('2026-01-01') + at * DAY).toISOString().slice(0, 10),
        (1.01 ** (at + 1)).toFixed(15),
      ),
    );
    const { sharpe, sortino, volatility, calmar } = statisticsOf(rising, {
      ...ALWAYS,
      to: '2026-02-09',
    });
    expect([sharpe.gap, sortino.gap]).toEqual(['zero_deviation', 'zero_deviation']);
    expect([volatility.value, calmar.gap]).toEqual(['0', 'short_span']);
  });

  it('use the risk-free return a day', () => {
    const at = (riskFree: number) => statisticsOf(many, { ...ALWAYS, riskFree, to });
    const [free, costly] = [at(0), at(0.0365)];
    const volatility = Number(free.volatility.value);
    expect(Number(free.sharpe.value) - Number(costly.sharpe.value)).toBeCloseTo(
      0.0365 / volatility,
      9,
    );
    expect(costly.volatility).toEqual(free.volatility);
    expect(Number(costly.probabilisticSharpe.value)).toBeLessThan(
      Number(free.probabilisticSharpe.value),
    );
  });

  it('name the best and worst days and months, and mark months that are not whole', () => {
    const { bestDay, worstDay, monthly, bestMonth, worstMonth, positiveMonths } = statisticsOf(
      [
        ...[flat('2026-01-10', '1.1'), flat('2026-02-03', '1.2'), flat('2026-02-20', '0.99')],
        ...[flat('2026-03-05', '1.089'), flat('2026-04-02', '1.0')],
      ],
      { ...ALWAYS, from: '2026-01-05', to: '2026-04-10' },
    );
    expect(bestDay).toMatchObject({ value: '0.1', date: '2026-01-10', n: 96 });
    expect(worstDay).toMatchObject({ value: '-0.175', date: '2026-02-20' });
    expect(monthly).toEqual([
      { year: 2026, month: 1, return: '0.1', partial: true },
      { year: 2026, month: 2, return: '-0.1', partial: false },
      { year: 2026, month: 3, return: '0.1', partial: false },
      { year: 2026, month: 4, return: '-0.0817263544536', partial: true },
    ]);
    expect([bestMonth.date, worstMonth.date]).toEqual(['2026-01', '2026-02']);
    expect(positiveMonths).toMatchObject({ value: '2', n: 4 });
  });

  it('are null after a value that is not positive', () => {
    const { totalReturn, sharpe, cagr, monthly, series, maxDrawdown } = statisticsOf(
      [flat('2026-01-02', '-0.5'), flat('2026-01-05', '0.5')],
      { ...ALWAYS, to: '2026-01-06' },
    );
    expect(totalReturn.value).toBe('-0.5');
    expect(maxDrawdown.value).toBe('1.5');
    expect([sharpe.gap, cagr.gap]).toEqual(['not_positive', 'short_span']);
    expect(monthly).toEqual([]);
    expect(series.map(({ return: change }) => change)).toEqual(new Array(6).fill(null));
  });
});

describe('what the record did', () => {
  const at = (date: string, hour: number) => dayStart(date) + hour * HOUR;
  const traded = [
    entryAt(at('2026-01-01', 12), fill('buy', '1', { price: '1', fee: '0.01', value: '0.99' })),
    ends('2026-01-01', '1', {
      high: '1',
      low: '0.99',
      drawdown: '0.01',
      gross: '0.5',
      held: '0.5',
    }),
    // No sample on the second and third: the fills say that it held.
    entryAt(at('2026-01-04', 6), fill('sell', '1', { price: '1.1', bid: '1.15', ask: '1.2' })),
    ends('2026-01-04', '1', { high: '1', low: '1', drawdown: '0', gross: '0', held: '0.25' }),
  ];

  it('is its exposure', () => {
    const { exposure, meanGross, largestGross } = statisticsOf(traded, {
      ...ALWAYS,
      to: '2026-01-05',
    });
    expect(exposure.value).toBe('0.55');
    expect([meanGross.value, largestGross.value]).toEqual(['0.3', '0.5']);
  });

  it('is its turnover and costs, in parts of the mean value', () => {
    const { turnover, costs, fees, slippage } = statisticsOf(traded, {
      ...ALWAYS,
      to: '2026-01-05',
    });
    expect([fees.value, slippage.value, costs.value]).toEqual(['0.01', '0.05', '0.06']);
    expect(Number(turnover.value)).toBeCloseTo(365.25 / 5, 9);
  });

  it('is its round trips that ended in the window', () => {
    const all = statisticsOf(traded, { ...ALWAYS, to: '2026-01-05' }).roundTrips;
    expect(all.long.expectancy).toMatchObject({ value: '0.09', n: 1 });
    expect(all.short.count.value).toBe('0');
    expect(all.byStock).toMatchObject([{ stockId: 'AAA', count: { value: '1' } }]);
    expect(all.all.averageDays.value).toBe('2.75');
    const before = statisticsOf(traded, { ...ALWAYS, to: '2026-01-03' }).roundTrips;
    expect(before.all.winRate).toMatchObject({ value: null, gap: 'no_round_trips' });
  });
});

describe('the figures against a benchmark', () => {
  const entries = [
    ...[flat('2026-01-01', '1.3'), flat('2026-01-02', '1.1'), flat('2026-01-05', '1.21')],
    ...[flat('2026-01-06', '1.1'), flat('2026-01-07', '1.32')],
  ];
  const closes = new Map([
    ...([
      ['2025-12-31', 5],
      ['2026-01-01', 10],
      ['2026-01-02', 10],
    ] as const),
    ...([
      ['2026-01-05', 11],
      ['2026-01-07', 12.1],
    ] as const),
  ]);
  const request = { ...STOCKS, benchmark: { stockId: id<'stock'>('SPY'), closes } } as const;

  it('are of the days that both have, from close to close', () => {
    const { beta, alpha, correlation, tracking } = statisticsOf(entries, {
      ...request,
      to: '2026-01-07',
    });
    // Own: 1.1/1.3, 1.21/1.1, 1.32/1.21; theirs: 1, 1.1, 1.1.
    const own = [1.1 / 1.3 - 1, 0.1, 1.32 / 1.21 - 1];
    const slope = ((own[1] ?? 0) + (own[2] ?? 0) - 2 * (own[0] ?? 0)) / 2 / 0.1;
    expect(Number(beta.value)).toBeCloseTo(slope, 9);
    const middle = own.reduce((sum, one) => sum + one) / 3;
    expect(Number(alpha.value)).toBeCloseTo((middle - (slope * 0.2) / 3) * 252, 9);
    expect(Number(correlation.value)).toBeGreaterThan(0.99);
    expect(tracking.n).toBe(3);
  });

  it('begin at the close before a later window', () => {
    const { beta } = statisticsOf(entries, { ...request, from: '2026-01-02', to: '2026-01-07' });
    expect(beta.n).toBe(3);
  });

  it('are null without a benchmark, and with one that does not vary', () => {
    const to = '2026-01-07';
    expect(statisticsOf(entries, { ...STOCKS, to }).beta.gap).toBe('no_benchmark');
    const still = new Map([...closes].map(([date]) => [date, 7]));
    const { beta, alpha, correlation, tracking } = statisticsOf(entries, {
      ...{ ...request, to },
      benchmark: { ...request.benchmark, closes: still },
    });
    for (const figure of [beta, alpha, correlation]) expect(figure.gap).toBe('zero_deviation');
    expect(tracking.gap).toBeNull();
  });
});
