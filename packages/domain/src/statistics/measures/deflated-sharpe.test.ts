import { describe, expect, it } from '@jest/globals';
import { dailySharpe, deflatedSharpeOf } from './deflated-sharpe.js';
import { deflatedSharpe, probabilisticSharpe, sharpeEstimate } from './sharpe-significance.js';
import type { SeriesPoint } from '../strategy-statistics.js';

const RETURNS = [0.01, -0.004, 0.006, 0.012, -0.009, 0.003, 0.007, -0.002];
const seriesOf = (returns: readonly number[]): SeriesPoint[] =>
  returns.map((one, day) => ({ date: `2024-01-0${day + 1}`, value: '1', return: String(one) }));
const SPAN = { from: '2024-01-01', to: '2024-01-08', minN: 2 };
const estimate = sharpeEstimate(RETURNS);

describe('the deflated Sharpe ratio of a trial', () => {
  it('is the published one of its daily returns and of the ratios of all trials', () => {
    const trials = [dailySharpe(seriesOf(RETURNS)), 0.1, -0.2, 0];
    const { value, n, trials: count } = deflatedSharpeOf(seriesOf(RETURNS), trials, SPAN);
    expect([n, count]).toEqual([8, 4]);
    expect(Number(value)).toBeCloseTo((estimate && deflatedSharpe(estimate, trials)) ?? NaN, 11);
    expect(Number(value)).toBeLessThan((estimate && probabilisticSharpe(estimate)) ?? NaN);
  });

  it('is not annualized: a trial counts with the ratio of one day', () => {
    expect(dailySharpe(seriesOf(RETURNS))).toBeCloseTo(estimate?.sharpe ?? NaN, 12);
    expect(dailySharpe(seriesOf([0, 0, 0]))).toBe(0);
  });

  it.each([
    ['a single trial', RETURNS, [0.1], 2, 'few_trials'],
    ['too few returns', RETURNS, [0.1, 0.2], 30, 'few_returns'],
    ['returns that do not vary', [0, 0, 0], [0, 0.2], 2, 'zero_deviation'],
  ] as const)('is not given for %s', (_, returns, trials, minN, gap) => {
    const found = deflatedSharpeOf(seriesOf(returns), trials, { ...SPAN, minN });
    expect(found).toMatchObject({ value: null, gap });
  });
});
