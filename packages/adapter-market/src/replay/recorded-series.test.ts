import { describe, expect, it } from '@jest/globals';
import { recordedSeries } from './recorded-series.js';
import { dayOf } from '../hours/us-market-days.js';

const NO = Number.NaN;
type Row = readonly [when: string, bid: number, ask: number, close: number];

const momentOf = (when: string): number => {
  const [date = '', time = '15:00'] = when.split(' ');
  const [hour = 0, minute = 0] = time.split(':').map(Number);
  return dayOf(date) * 1_440 + hour * 60 + minute;
};

function seriesOf(symbol: string, rows: readonly Row[]): number[][] {
  const { bids, asks, lasts } = recordedSeries(symbol, {
    moments: rows.map(([when]) => momentOf(when)),
    bids: rows.map(([, bid]) => bid),
    asks: rows.map(([, , ask]) => ask),
    closes: rows.map(([, , , close]) => close),
  });
  return Array.from(bids, (bid, row) => [bid, asks[row] ?? NO, lasts[row] ?? NO]);
}

describe('a recorded series', () => {
  it('keeps the last price of a missing side, unless the other side crosses it', () =>
    expect(
      seriesOf('X', [
        ['2014-01-06 15:00', 10, 12, NO],
        ['2014-01-06 15:01', NO, 11, NO],
        ['2014-01-06 15:02', NO, 9, NO],
        ['2014-01-06 15:03', 9.5, NO, NO],
      ]),
    ).toEqual([
      [10, 12, 10],
      [10, 11, 10],
      [9, 9, 9],
      [9.5, 9.5, 9.5],
    ]));

  it('begins a day when it has both sides', () =>
    expect(
      seriesOf('X', [
        ['2014-01-06 15:00', 10, 12, NO],
        ['2014-01-07 15:00', NO, 20, NO],
        ['2014-01-07 15:01', 18, NO, NO],
      ]),
    ).toEqual([
      [10, 12, 10],
      [18, 20, 18],
    ]));

  it('has bid, ask and last of a bar on days without quotes', () =>
    expect(
      seriesOf('X', [
        ['2014-01-06 15:00', NO, NO, 10],
        ['2014-01-07 15:00', 10, 12, NO],
        ['2014-01-07 15:00', NO, NO, 11],
        ['2014-01-07 15:01', NO, NO, 12],
      ]),
    ).toEqual([
      [10, 10, 10],
      [10, 12, 11],
      [10, 12, 12],
    ]));

  it('is in order of time for any order of the rows', () =>
    expect(
      seriesOf('X', [
        ['2014-01-07', NO, NO, 11],
        ['2014-01-06', NO, NO, 10],
      ]).map(([bid]) => bid),
    ).toEqual([10, 11]));

  it("continues over a split with only the market's move", () => {
    const [before, after] = seriesOf('AAPL', [
      ['2014-06-06', 645, 645.2, NO],
      ['2014-06-09', 92.2, 92.4, NO],
    ]);
    expect(before?.[0]).toBe(645);
    expect(after?.[0]).toBeCloseTo(645.4, 6);
    expect(after?.[1]).toBeCloseTo(646.8, 6);
  });

  it('continues over a reverse split', () => {
    const [, after] = seriesOf('AIG', [
      ['2009-06-30', NO, NO, 1.16],
      ['2009-07-01', NO, NO, 20.1],
    ]);
    expect(after?.[0]).toBeCloseTo(1.005, 6);
  });

  it.each([
    ['an adjusted recording', 'AAPL', '2014-06-06', 92.2, '2014-06-09', 93.7],
    ['a fall on another day', 'AAPL', '2014-06-09', 645, '2014-06-10', 92.2],
    ['a fall of another stock', 'MSFT', '2014-06-06', 645, '2014-06-09', 92.2],
    ['a move over a long weekend', 'MSFT', '2014-01-17', 100, '2014-01-21', 80],
  ])('stays unchanged: %s', (_, symbol, dayBefore, before, day, after) =>
    expect(
      seriesOf(symbol, [
        [dayBefore, NO, NO, before],
        [day, NO, NO, after],
      ]).map(([bid]) => bid),
    ).toEqual([before, after]),
  );

  it('continues without a jump over a gap in the recording', () =>
    expect(
      seriesOf('SPY', [
        ['2013-10-11', NO, NO, 170],
        ['2023-08-03', NO, NO, 340],
        ['2023-08-04', NO, NO, 374],
      ]).map(([bid]) => bid),
    ).toEqual([170, 170, 187]));
});
