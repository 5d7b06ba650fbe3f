import { describe, expect, it } from '@jest/globals';
import { drawdownOf, seriesOf, withPoint } from '../src/figures/series.js';

describe('a curve', () => {
  const series = seriesOf([
    { at: '2026-03-04T15:00:00.000Z', strategy_value: '1' },
    { at: '2026-03-04T15:01:00.000Z', strategy_value: '1.1' },
  ]);

  it('has seconds and values', () => {
    expect(series).toEqual([
      [1772636400, 1772636460],
      [1, 1.1],
    ]);
  });

  it('takes newer points alone', () => {
    expect(withPoint(series, 1772636460, 2)).toEqual(series);
    expect(withPoint(series, 1772636461, 2)[1]).toEqual([1, 1.1, 2]);
  });

  it.each([
    [
      [1, 1.25, 1, 1.5],
      [0, 0, -0.2, 0],
    ],
    [[], []],
    [
      [0, -1, 1, 0.5],
      [0, 0, 0, -0.5],
    ],
  ])('%j falls by %j below its peak', (values, falls) => {
    expect(drawdownOf(values)).toHaveLength(falls.length);
    for (const [index, fall] of drawdownOf(values).entries())
      expect(fall).toBeCloseTo(falls[index] ?? NaN, 12);
  });
});
