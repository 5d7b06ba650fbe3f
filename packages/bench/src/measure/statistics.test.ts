import { describe, expect, it } from '@jest/globals';
import { median, quantile, spread } from './statistics.js';

describe('the statistics of the rounds', () => {
  it.each([
    [[3], 3],
    [[1, 9, 2], 2],
    [[4, 1, 3, 2], 2.5],
    [[10, 9, 100], 10],
  ])('the median of %j is %d', (values, expected) => {
    expect(median(values)).toBe(expected);
  });

  it.each([
    [0.5, 50],
    [0.99, 99],
    [1, 100],
    [0, 1],
  ])('the %d quantile of 1 to 100 is %d', (share, expected) => {
    const values = Array.from({ length: 100 }, (_, index) => 100 - index);
    expect(quantile(values, share)).toBe(expected);
  });

  it.each([
    [[2, 2, 2], 0],
    [[1, 2, 3], 1],
    [[9, 10, 11], 0.2],
    [[0, 0], 0],
  ])('the spread of %j is %d of its median', (values, expected) => {
    expect(spread(values)).toBeCloseTo(expected, 12);
  });

  it('has no result without values', () => {
    expect(() => median([])).toThrow('no values');
    expect(() => quantile([], 0.5)).toThrow('no values');
  });
});
