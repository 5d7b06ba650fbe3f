import { describe, expect, it } from '@jest/globals';
import { DAY } from '../../time.js';
import { type RecordedEntry, recordReader } from './record-reader.js';
import {
  adjustment,
  closed,
  entryAt,
  fill,
  started,
  opened,
} from '../../../tests/track-entries.js';

/** The figures after all entries. */
const read = (entries: readonly RecordedEntry[]) => {
  const reader = recordReader(0);
  for (const entry of entries) reader.add(entry);
  return reader.figures();
};

/** The round trips in the shape [side, opened, closed, result]. */
const tripsOf = (entries: readonly RecordedEntry[]) =>
  read(entries).trips.map(({ side, openedAt, closedAt, result }) => [
    side,
    openedAt,
    closedAt,
    Number(result.toFixed(12)),
  ]);

const bought = fill('buy', '1', { price: '1', value: '1' });

describe('round trips', () => {
  // Prices without a spread; a fee of 0.01 where it is named. The value before an opening fill is 1 unless said.
  // oxfmt-ignore
  it.each<[string, readonly RecordedEntry[], readonly unknown[]]>([
    ['an open position is none', [entryAt(1, bought)], []],
    ['from flat to flat', [entryAt(1, bought), entryAt(5, fill('sell', '1', { price: '1.1' }))], [['long', 1, 5, 0.1]]],
    ['a short', [entryAt(1, fill('sell', '1', { price: '1' })), entryAt(2, fill('buy', '1', { price: '0.9' }))], [['short', 1, 2, 0.1]]],
    ['partial exits and additions belong to it',
      [entryAt(1, bought), entryAt(2, fill('sell', '0.5', { price: '1.2' })), entryAt(3, fill('buy', '0.5', { price: '1' })), entryAt(4, fill('sell', '1', { price: '1.1' }))],
      [['long', 1, 4, 0.2]]],
    ['fees and rounding count', [
      entryAt(1, fill('buy', '1', { price: '1', fee: '0.01', rounding: '0.002', value: '0.988' })),
      entryAt(2, fill('sell', '1', { price: '1.1', fee: '0.01' }))], [['long', 1, 2, 0.078]]],
    ['the value before is without the costs of the fill and its distance from the quote', [
      entryAt(1, fill('buy', '1', { price: '1.01', bid: '0.99', ask: '1', fee: '0.05', value: '1.93' })),
      entryAt(2, fill('sell', '1', { price: '1.21', value: '2' }))], [['long', 1, 2, 0.075]]],
    ['a reversal is split in proportion, with its fee', [
      entryAt(1, bought),
      entryAt(2, fill('sell', '4', { price: '1.1', fee: '0.04', value: '1.06' })),
      entryAt(3, fill('buy', '3', { price: '1', value: '1.36' }))],
      [['long', 1, 2, 0.09], ['short', 2, 3, Number((0.27 / 1.1).toFixed(12))]]],
    ['dividends belong to it', [
      entryAt(1, bought), entryAt(2, adjustment('cash_dividend', '1', '0.05')), entryAt(3, fill('sell', '1', { price: '1' }))],
      [['long', 1, 3, 0.05]]],
    ['a short pays them', [
      entryAt(1, fill('sell', '1', { price: '1' })), entryAt(2, adjustment('cash_dividend', '-1', '-0.05')), entryAt(3, fill('buy', '1', { price: '1' }))],
      [['short', 1, 3, -0.05]]],
    ['a split changes the amount that makes it flat', [
      entryAt(1, bought), entryAt(2, adjustment('split', '3', '0')), entryAt(3, fill('sell', '1', { price: '0.4' })), entryAt(4, fill('sell', '2', { price: '0.4' }))],
      [['long', 1, 4, 0.2]]],
    ['a split that leaves nothing ends it with its cash', [
      entryAt(1, bought), entryAt(2, adjustment('split', '0', '0.9'))], [['long', 1, 2, -0.1]]],
    ['a delisting is its fill, with or without an adjustment beside it', [
      entryAt(1, bought), entryAt(2, fill('sell', '1', { price: '0.2', bid: null, ask: null })), entryAt(2, adjustment('delisting', '0', '0'))],
      [['long', 1, 2, -0.8]]],
    ['a delisting before its fill', [
      entryAt(1, bought), entryAt(2, adjustment('delisting', '0', '0')), entryAt(2, fill('sell', '1', { price: '0.2', bid: null, ask: null }))],
      [['long', 1, 2, -0.8]]],
    ['without a value after the fill, the last one known is the value before', [
      entryAt(1, closed('2')), entryAt(2, fill('buy', '1', { price: '1', value: null })), entryAt(3, fill('sell', '1', { price: '1.1' }))],
      [['long', 2, 3, 0.05]]],
    ['an old fill without a quote: its fee is added to the value after it', [
      entryAt(1, fill('buy', '1', { price: '1', fee: '0.5', bid: undefined, ask: undefined, value: '1.5' })), entryAt(2, fill('sell', '1', { price: '2.5', value: '3' }))],
      [['long', 1, 2, 0.5]]],
    ['amounts decide exactly', [
      entryAt(1, bought), entryAt(2, fill('sell', '0.999999999999999999', { price: '1' }))], []],
    ['an opening fill at a value of zero has no fraction', [
      entryAt(1, fill('buy', '1', { price: '1', value: '0' })), entryAt(2, fill('sell', '1', { price: '1' }))], []],
    ['a position that was open at a start of a segment is none', [
      entryAt(1, bought), entryAt(2, opened()), entryAt(3, started('1')), entryAt(4, fill('sell', '2', { price: '1.1', value: '1' })),
      entryAt(5, fill('buy', '1', { price: '1', value: '1.1' }))],
      [['short', 4, 5, 0.1]]],
    ['those of earlier segments are forgotten', [
      entryAt(1, bought), entryAt(2, fill('sell', '1', { price: '1.1' })), entryAt(3, opened()), entryAt(4, started('1.1'))], []],
  ])('%s', (_, entries, expected) => {
    expect(tripsOf(entries)).toEqual(expected);
  });
});

describe('a record reader', () => {
  it('keeps days, flows and the times with a position', () => {
    const figures = read([
      entryAt(
        1,
        fill('buy', '2', {
          price: '1.1',
          bid: '0.9',
          ask: '1',
          fee: '0.01',
          rounding: '0.001',
          value: '0.8',
        }),
      ),
      entryAt(2, fill('sell', '1', { price: '0.8', bid: '0.9', ask: '1' })),
      entryAt(
        DAY - 1,
        closed('1.2', { high: '1.3', low: '0.8', drawdown: '0.2', gross: '0.9', held: '0.9' }),
      ),
      entryAt(DAY + 5, fill('sell', '1', { price: '1' })),
      entryAt(DAY + 9, closed('1.1')),
    ]);
    const numbers = { bought: 2.2, sold: 0.8, fees: 0.011, slippage: expect.closeTo(0.3, 12) };
    expect(figures).toMatchObject({
      segment: { startedAt: 0, value: 1 },
      days: [
        {
          day: 0,
          close: 1.2,
          samples: { high: 1.3, low: 0.8, drawdown: 0.2, gross: 0.9, held: 0.9 },
        },
        { day: 1, close: 1.1, samples: null },
      ],
      flows: [
        { day: 0, ...numbers },
        { day: 1, bought: 0, sold: 1, slippage: 0 },
      ],
      held: [{ from: 1, to: DAY + 5 }],
    });
  });

  it('does not know the slippage of a day with a fill from before quotes were kept', () => {
    const old = fill('buy', '1', { price: '1', bid: undefined, ask: undefined });
    expect(read([entryAt(1, bought), entryAt(2, old), entryAt(3, bought)]).flows).toMatchObject([
      { bought: 3, slippage: null },
    ]);
  });

  it('has no segment while the next one opens, and begins it at its first value', () => {
    const reader = recordReader(0);
    reader.add(entryAt(1, bought));
    reader.add(entryAt(2, closed('1.5')));
    reader.add(entryAt(3, opened()));
    expect(reader.figures()).toMatchObject({ segment: null, days: [], flows: [], held: [] });
    reader.add(entryAt(9, started('1.7')));
    expect(reader.figures()).toMatchObject({
      segment: { startedAt: 9, value: 1.7 },
      days: [],
      held: [{ from: 9, to: null }],
    });
  });

  it('starts without a time with its first entry', () => {
    const reader = recordReader();
    expect(reader.figures().segment).toBeNull();
    reader.add(entryAt(7, bought));
    expect(reader.figures().segment).toEqual({ startedAt: 7, value: 1 });
  });

  it('has the days in order, each once, though the clock was set in between', () => {
    const day = (high: string, low: string, drawdown: string) =>
      closed(low, { high, low, drawdown, gross: '0.5', held: '1' });
    const { days } = read([
      entryAt(2 * DAY, day('2', '1.8', '0.1')),
      entryAt(368 * DAY, day('3', '3', '0')),
      entryAt(2 * DAY + 1, day('1.9', '1', '0.4')),
      entryAt(DAY, day('5', '5', '0')),
      entryAt(3 * DAY, day('1', '1', '0')),
    ]);
    expect(days.map(({ day: number, close }) => [number, close])).toEqual([
      [1, 5],
      [2, 1],
      [3, 1],
      [368, 3],
    ]);
    expect(days[1]?.samples).toEqual({ high: 2, low: 1, drawdown: 0.5, gross: 0.5, held: 1 });
  });

  it('shows the pending day, and forgets it', () => {
    const reader = recordReader(0);
    reader.add(entryAt(1, closed('1.5')));
    const pending = entryAt(DAY, closed('1.6'));
    expect(reader.figures(pending).days.map(({ close }) => close)).toEqual([1.5, 1.6]);
    expect(reader.figures().days.map(({ close }) => close)).toEqual([1.5]);
  });

  it.each<[string, RecordedEntry]>([
    ['a value that is no number', entryAt(1, closed('moon'))],
    ['an empty value', entryAt(1, closed(''))],
    ['no JSON', { ...entryAt(1, closed('1')), body: '{' }],
  ])('refuses %s', (_, entry) => {
    expect(() => {
      recordReader().add(entry);
    }).toThrow();
  });
});
