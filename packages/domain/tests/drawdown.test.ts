import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { type Decimal, ONE, addSample, decimal, maxDrawdown } from '../src/index.js';
import { MINUTE } from '../src/time.js';

interface Statistics {
  readonly series: Readonly<Record<string, readonly (number | null)[]>>;
  readonly stats: readonly {
    readonly id: string;
    readonly metric: string;
    readonly series: string;
    readonly expect: number | null;
    readonly places: number;
  }[];
  readonly equity_drawdowns: readonly {
    readonly test: string;
    readonly equity: readonly number[];
    readonly max_drawdown?: number;
  }[];
}

const file = new URL('../../../../shared/cases/drawdown.json', import.meta.url);

/** Rows without a figure to compare. */
const WITHOUT_FIGURE: Readonly<Record<string, string>> = {
  P001: 'theirs has no value for an empty series; ours is "0", the contract says so',
  'test_get_max_drawdown[2]':
    'theirs asserts only the dates of peak and valley; ours is (1.2 - 0.7) / 1.2',
};

/** Our figure over a series of values, one per minute; theirs has the other sign. */
function drawdownOf(values: readonly Decimal[]): Decimal {
  const buckets = values.map((value, at) => addSample(undefined, (at + 1) * MINUTE, value));
  return maxDrawdown(buckets, 0, null);
}

const written = (value: number): Decimal => decimal(String(value));

describe('max drawdowns that others published (shared/cases/drawdown.json)', () => {
  if (!existsSync(file)) {
    it('are absent here: nothing is compared', () => {
      expect(existsSync(file)).toBe(false);
    });
    return;
  }
  const {
    series,
    stats,
    equity_drawdowns: equities,
  } = JSON.parse(readFileSync(file, 'utf8')) as Statistics;

  /** Cumulative values of returns, from the starting baseline 1. */
  const valuesOf = (name: string): Decimal[] => {
    let value: Decimal = ONE;
    return (series[name] ?? []).map((change) => {
      if (change === null) throw new Error(`${name} has a return without a value`);
      return (value = value.times(ONE.plus(written(change))));
    });
  };

  it.each(stats)('$id: $metric of $series', ({ id, series: name, expect: theirs, places }) => {
    const ours = drawdownOf(valuesOf(name));
    expect(theirs === null).toBe(id in WITHOUT_FIGURE);
    expect(ours.toFixed(places)).toBe(written(Math.abs(theirs ?? 0)).toFixed(places));
  });

  it.each(equities)('$test', ({ test, equity, max_drawdown: theirs }) => {
    expect(theirs === undefined).toBe(test in WITHOUT_FIGURE);
    // Our series begins at 1: their first value becomes the baseline.
    const first = written(equity[0] ?? 1);
    const ours = drawdownOf(equity.map((value) => written(value).div(first)));
    const expected = theirs === undefined ? decimal('0.5').div('1.2') : written(Math.abs(theirs));
    expect(ours.toFixed(8)).toBe(expected.toFixed(8));
  });

  it('each row without a figure exists in the published rows', () => {
    const known = [...stats.map(({ id }) => id), ...equities.map(({ test }) => test)];
    expect(known).toEqual(expect.arrayContaining(Object.keys(WITHOUT_FIGURE)));
  });
});
