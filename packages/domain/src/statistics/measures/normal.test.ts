import { describe, expect, it } from '@jest/globals';
import { normalProbability, normalQuantile } from './normal.js';

describe('the standard normal distribution', () => {
  // erfc of the C library, which is good to the last place.
  it.each([
    [0, 0.5],
    [0.5, 0.3085375387259869],
    [1, 0.15865525393145707],
    [2.5, 0.006209665325776139],
    [4, 3.1671241833119965e-5],
    [7, 1.279812543885835e-12],
    [7.2, 3.0106279811174455e-13],
    [12, 1.776482112077702e-33],
    [37.5, 4.605353009582584e-308],
  ])('has beyond %d the part %d', (x, part) => {
    expect(Math.abs(normalProbability(-x) / part - 1)).toBeLessThan(1e-12);
    expect(normalProbability(x)).toBeCloseTo(1 - part, 14);
  });

  // CPython's statistics.NormalDist (Wichura's AS 241).
  it.each([
    [0.5, 0],
    [0.6, 0.2533471031357997],
    [0.95, 1.6448536269514715],
    [0.975, 1.9599639845400536],
    [0.999, 3.0902323061678136],
    [1e-6, -4.753424308822899],
  ])('has its quantile %d at %d', (probability, x) => {
    expect(normalQuantile(probability)).toBeCloseTo(x, 11);
  });
});
