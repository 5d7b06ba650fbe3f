import { describe, expect, it } from '@jest/globals';
import { type StrategyId, id } from '../../ids.js';
import { ONE, decimal } from '../../numbers/decimal.js';
import { FIRST_MARK, nextMark } from './target-mark.js';

type Values = Readonly<Record<string, string | null>>;
type Percents = Readonly<Record<string, string>>;

const valueIn = (values: Values) => (strategyId: StrategyId) => {
  const value = values[strategyId];
  return value ? decimal(value) : undefined;
};

/** The target at each of these readings. */
function targets(
  readings: readonly Values[],
  percents: Percents = { a: '1' },
  leverage = '1',
): (string | null)[] {
  const allocations = Object.entries(percents).map(([strategyId, percent]) => ({
    strategyId: id<'strategy'>(strategyId),
    percent: decimal(percent),
  }));
  let mark = FIRST_MARK;
  return readings.map((values) => {
    const next = nextMark(mark, { leverage: decimal(leverage), allocations }, valueIn(values));
    mark = next.mark;
    return next.target?.toFixed() ?? null;
  });
}

describe("the value of a bot's target", () => {
  it.each<[string, readonly Values[], Percents | undefined, string | undefined, unknown]>([
    ['begins with 1, whatever the strategy is worth', [{ a: '1.7' }], undefined, undefined, ['1']],
    [
      'earns as its strategy',
      [{ a: '2' }, { a: '2.2' }, { a: '1.1' }],
      undefined,
      undefined,
      ['1', '1.1', '0.55'],
    ],
    ['earns its leverage', [{ a: '2' }, { a: '2.2' }], undefined, '0.5', ['1', '1.05']],
    [
      'earns by its percents',
      [
        { a: '1', b: '1' },
        { a: '1.1', b: '0.9' },
      ],
      { a: '1', b: '0.5' },
      undefined,
      ['1', '1.05'],
    ],
    ['compounds', [{ a: '1' }, { a: '1.1' }, { a: '1.21' }], undefined, '2', ['1', '1.2', '1.44']],
    [
      'never falls below zero',
      [{ a: '1' }, { a: '0.1' }, { a: '0.2' }],
      undefined,
      '2',
      ['1', '0', '0'],
    ],
    [
      'is not known while a value is missing',
      [{ a: '1' }, { a: null }, { a: '1.2' }],
      undefined,
      undefined,
      ['1', null, '1.2'],
    ],
    [
      'is not known at a value of zero',
      [{ a: '1' }, { a: '0' }, { a: '0.5' }],
      undefined,
      undefined,
      ['1', null, '0.5'],
    ],
    [
      'ignores strategies that have no share',
      [
        { a: '1', b: null },
        { a: '1.1', b: null },
      ],
      { a: '1', b: '0' },
      undefined,
      ['1', '1.1'],
    ],
    ['rounds once', [{ a: '3' }, { a: '4' }], undefined, undefined, ['1', '1.333333333333333333']],
  ])('%s', (_, readings, percents, leverage, expected) => {
    expect(targets(readings, percents, leverage)).toEqual(expected);
  });

  it('takes no return of a strategy that joins, nor over a stop', () => {
    const share = (strategyId: string) => ({
      strategyId: id<'strategy'>(strategyId),
      percent: ONE,
    });
    const first = { leverage: ONE, allocations: [share('a')] };
    const began = nextMark(FIRST_MARK, first, valueIn({ a: '1' }));
    const grown = nextMark(began.mark, first, valueIn({ a: '1.5' }));
    const other = { leverage: ONE, allocations: [share('b')] };
    const joined = nextMark(grown.mark, other, valueIn({ b: '7' }));
    expect(joined.target?.toFixed()).toBe('1.5');
    const stopped = { ...joined.mark, values: new Map() };
    expect(nextMark(stopped, other, valueIn({ b: '14' })).target?.toFixed()).toBe('1.5');
  });
});
