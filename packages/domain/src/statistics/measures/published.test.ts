import { describe, expect, it } from '@jest/globals';
import { alpha, beta } from './benchmark.js';
import { type DayExtremes, type Episode, deepestOf, episodesOf } from './drawdowns.js';
import {
  cagr,
  compounded,
  downsideDeviation,
  kurtosis,
  mean,
  periodSharpe,
  sharpe,
  skewness,
  sortino,
  volatility,
} from './returns.js';
import {
  deflatedSharpe,
  minimumTrackRecord,
  probabilisticSharpe,
  sharpeError,
} from './sharpe-significance.js';

/**
 * Figures that others published, restated with their tests:
 * empyrical-reloaded (efe6066) tests/test_stats.py, empyrical (40f61b4), pyfolio (4b901f6) tests/test_timeseries.py,
 * LEAN (2486390) Tests/Report/DrawdownCollectionTests.cs, freqtrade (c9ae5e1) tests/data/test_btanalysis.py,
 * rubenbriones/Probabilistic-Sharpe-Ratio (1c8b7c5), mlfinlab (1be71cc).
 */
const SERIES = {
  empty: [],
  one: [0.01],
  mixed: [0, 0.01, 0.1, -0.04, 0.02, 0.03, 0.02, 0.01, -0.1],
  benchmark: [0, 0.01, 0, 0.01, 0, 0.01, 0, 0.01, 0],
  positive: [0.01, 0.02, 0.01, 0.01, 0.01, 0.01, 0.01, 0.01, 0.01],
  negative: [0, -0.06, -0.07, -0.01, -0.09, -0.02, -0.06, -0.08, -0.05],
  allNegative: [-0.02, -0.06, -0.07, -0.01, -0.09, -0.02, -0.06, -0.08, -0.05],
  flat: new Array<number>(9).fill(0.01),
  // oxfmt-ignore
  dfOne: [-0.00171614, 0.01322056, 0.03063862, -0.01422057, -0.00489779, 0.01268925, -0.03357711, 0.01797036],
  // oxfmt-ignore
  dfTwo: [0.01846232, 0.00793951, -0.01448395, 0.00422537, -0.00339611, 0.03756813, 0.0151531, 0.03549769],
} as const;

/** Theirs has an empty first period: it is left out of means and counts as a period of the year. */
const mixed = SERIES.mixed.slice(1);

/** A day that is one sample. */
const oneSample = (day: number, value: number): DayExtremes => ({
  ...{ day, high: value, low: value, drawdown: 0, close: value },
});

/** The falls of values after 1. */
const falls = (returns: readonly number[]): readonly Episode[] => {
  let value = 1;
  const samples = returns.map((one, at) => oneSample(at + 1, (value *= 1 + one)));
  return episodesOf(1, 0, samples);
};
const maxDrawdown = (returns: readonly number[]): number => deepestOf(falls(returns));

const yearly = (returns: readonly number[], periods: number, perYear: number): number | null =>
  cagr(1 + (compounded(returns) ?? 0), periods / perYear);

describe('published figures of returns', () => {
  // oxfmt-ignore
  it.each<[string, number | null, number | null, number?]>([
    ['test_cum_returns_final mixed_returns', compounded(mixed), 0.03893, 5e-5],
    ['test_cum_returns_final one_return', compounded(SERIES.one), 0.01],
    ['test_annual_ret, test_cagr mixed_returns', yearly(mixed, 9, 252), 1.9135925373194231],
    ['test_annual_ret monthly_returns', yearly(SERIES.mixed, 9, 12), 0.052242061386048144],
    ['test_cagr empty', cagr(1, 0), null],
    ['test_annual_volatility', volatility(SERIES.mixed, 52), 0.38851569394870583],
    ['test_annual_volatility flat_line_1_tz', volatility(SERIES.flat, 252), 0],
    ['test_sharpe_ratio against a series', sharpe(mixed.map((one, at) => one - (SERIES.benchmark[at + 1] ?? 0)), 252), 0.34111411441060574],
    ['test_sharpe_ratio negative_returns', sharpe(SERIES.negative, 252), -24.406808633910085],
    ['test_sharpe_ratio empty', sharpe(SERIES.empty, 252), null],
    ['test_downside_risk mixed_returns', downsideDeviation(mixed, 252), 0.6044832503882965],
    ['test_downside_risk weekly', downsideDeviation(SERIES.mixed, 52), 0.25888650451930134],
    ['test_downside_risk df_simple', downsideDeviation(SERIES.dfOne, 252), 0.20671788246185202],
    ['test_sortino mixed_returns', sortino(mixed, 252), 2.605531251673693],
    ['test_sortino negative_returns', sortino(SERIES.negative, 252), -13.5327430750434],
    ['test_sortino monthly', sortino(SERIES.mixed, 12), 0.5360562674188976],
    ['test_sortino df_simple', sortino(SERIES.dfTwo, 252), 38.090963117002495],
    ['test_sortino df_month', sortino(SERIES.dfTwo, 12), 8.312129608449284],
    ['test_max_drawdown simple_benchmark', maxDrawdown(SERIES.benchmark), 0],
    ['test_max_drawdown mixed_returns', maxDrawdown(mixed), 0.1],
    ['test_max_drawdown positive_returns', maxDrawdown(SERIES.positive), 0],
    ['test_max_drawdown all_negative_returns', maxDrawdown(SERIES.allNegative), 0.37858915742876154],
    ['test_calmar', (yearly(mixed, 9, 252) ?? NaN) / maxDrawdown(mixed), 19.135925373194233],
    ['test_calmar monthly', (yearly(SERIES.mixed, 9, 12) ?? NaN) / maxDrawdown(SERIES.mixed), 0.5224206138604814],
    ['test_alpha_beta, beta', beta({ own: mixed, benchmark: SERIES.negative.slice(1) }), -0.7129629629629631],
    ['test_capture_ratio', (yearly(SERIES.allNegative, 9, 252) ?? NaN) / (yearly(mixed, 9, 252) ?? NaN), -0.5225764322296026],
    ['test_calculate_cagr 1095 days', cagr(176000 / 64900, 1095 / 365), 0.3945, 5e-5],
    ['test_calculate_cagr 365 days', cagr(176000 / 64900, 1), 1.7119, 5e-5],
    ['test_calculate_cagr unchanged', cagr(1, 1), 0],
    ['test_calculate_cagr 1500', cagr(1.5, 1), 0.5],
    ['test_calculate_cagr 100 days', cagr(1.5, 100 / 365), 3.3927, 5e-5],
    ['test_calculate_cagr small', cagr(1.762792, 120 / 365), 4.6087, 5e-5],
    ['mlfinlab test_sharpe_ratio', sharpe([0.03, 0.02, 0.01, -0.01, 0.02, 0.01, 0, -0.01, 0.01].map((one) => one - 0.005), 12), 0.987483, 1e-4],
    ['paper: standard error', sharpeError({ n: 134, sharpe: 0.7079, skewness: -0.225, kurtosis: 2.957 }), 0.1028, 5e-5],
    ['paper: probabilistic Sharpe', probabilisticSharpe({ n: 24, sharpe: 0.458, skewness: 0, kurtosis: 3 }), 0.982, 5e-4],
    ['test_minimum_track_record_length', minimumTrackRecord({ sharpe: 1.14, skewness: 0, kurtosis: 3 }, 1), 228.73497, 1e-4],
    ['test_deflated_sharpe_ratio', deflatedSharpe({ n: 250, sharpe: 1.14, skewness: 0, kurtosis: 3 }, [3.5, 1.01, 1.02]), 0.95836, 1e-4],
  ])('%s', (_, ours, theirs, tolerance = 1e-8) => {
    if (theirs === null || ours === null) expect(ours).toBe(theirs);
    else expect(Math.abs(ours - theirs)).toBeLessThanOrEqual(tolerance);
  });

  it('test_aggregate_returns: months compound', () => {
    expect(compounded(SERIES.benchmark.slice(0, 2))).toBeCloseTo(0.01, 12);
    expect(compounded(SERIES.benchmark.slice(2))).toBeCloseTo(0.03030099999999991, 12);
  });
});

describe('published falls', () => {
  // LEAN MaxDrawdown; pyfolio test_gen_drawdown_table_relative and test_get_max_drawdown[2]. Their day 0 is our first peak.
  // oxfmt-ignore
  it.each<[string, readonly number[], readonly Episode[]]>([
    ['MaxDrawdown', [100000, 90000, 100000, 100000, 80000], [
      { start: 0, valley: 1, end: 2, depth: 0.1 },
      { start: 3, valley: 4, end: null, depth: 0.2 },
    ]],
    ['test_gen_drawdown_table_relative', [10, 11, 12, 15, 18, 20, 10, 12, 16, 18, 20, 30, 40, 50, 60, 80, 90, 100, 65, 60], [
      { start: 5, valley: 6, end: 10, depth: 0.5 },
      { start: 17, valley: 19, end: null, depth: 0.4 },
    ]],
    ['test_get_max_drawdown[2]', [1, 1.2, 1, 0.8, 0.7, 0.8, 0.9, 0.9], [
      { start: 1, valley: 4, end: null, depth: 0.5 / 1.2 },
    ]],
  ])('%s', (_, [first = 1, ...later], expected) => {
    const found = episodesOf(first, 0, later.map((value, at) => oneSample(at + 1, value)));
    expect(found).toHaveLength(expected.length);
    for (const [at, { depth, ...dates }] of expected.entries()) {
      expect(found[at]).toMatchObject(dates);
      expect(found[at]?.depth).toBeCloseTo(depth, 12);
    }
  });
});

describe('published figures that differ from ours, and why', () => {
  it('theirs has no drawdown of an empty series; a strategy that never moved fell by 0', () => {
    expect(maxDrawdown(SERIES.empty)).toBe(0);
  });

  it('test_alpha_beta compounds alpha; contract 9 has the mean times the periods', () => {
    const pairs = { own: mixed, benchmark: SERIES.negative.slice(1) };
    const ours = alpha(pairs, 252);
    expect(ours).not.toBeNull();
    expect((1 + (ours ?? 0) / 252) ** 252 - 1).toBeCloseTo(-0.9997853834885004, 10);
  });

  it('LEAN takes the excess kurtosis for the probabilistic Sharpe ratio and corrects its bias; the paper does neither', () => {
    const returns = [-0.009025132, 0.003653969, 0, 0];
    expect(skewness(returns)).toBeCloseTo(-0.7899666289734364, 12);
    expect(kurtosis(returns)).toBeCloseTo(2.1443405526611814, 12);
    const n = 4;
    const [middle = 0, m2 = 0, m3 = 0, m4 = 0] = [
      mean(returns),
      ...[2, 3, 4].map((power) =>
        mean(returns.map((one) => (one - (mean(returns) ?? 0)) ** power)),
      ),
    ].map(Number);
    expect(middle).toBeLessThan(0);
    // Corrected for bias, as theirs; raw, as the paper.
    const skew = ((m3 / m2 ** 1.5) * Math.sqrt(n * (n - 1))) / (n - 2);
    const excess = ((n - 1) / ((n - 2) * (n - 3))) * ((n + 1) * (m4 / m2 ** 2 - 3) + 6);
    const sharpeOf = periodSharpe(returns) ?? NaN;
    const at = (raw: number, perYear: number) =>
      probabilisticSharpe(
        { n, sharpe: sharpeOf, skewness: skew, kurtosis: raw },
        1 / Math.sqrt(perYear),
      );
    for (const [perYear, theirs, byThePaper] of [
      [202, 0.252197874915608, 0.259111874029642],
      [252, 0.257146306116665, 0.2639674599389632],
      [365, 0.264390639112978, 0.27107034650353934],
    ] as const) {
      expect(at(excess + 3, perYear)).toBeCloseTo(byThePaper, 9);
      expect(at(excess, perYear)).toBeCloseTo(theirs, 9);
    }
  });
});
