import { normalProbability, normalQuantile } from './normal.js';
import { kurtosis, mean, periodSharpe, skewness } from './returns.js';

/**
 * The figures that the significance of a Sharpe ratio depends on. `sharpe` is of one period, never annualized; `kurtosis` is raw
 * (3 for the normal distribution): with the excess kurtosis every result is too good.
 */
export interface SharpeEstimate {
  readonly n: number;
  readonly sharpe: number;
  readonly skewness: number;
  readonly kurtosis: number;
}

/** The estimate of returns above the risk-free one; null at zero deviation. */
export function sharpeEstimate(excess: readonly number[]): SharpeEstimate | null {
  const [sharpe, skew, raw] = [periodSharpe(excess), skewness(excess), kurtosis(excess)];
  if (sharpe === null || skew === null || raw === null) return null;
  return { n: excess.length, sharpe, skewness: skew, kurtosis: raw };
}

/** The variance of the estimate times (n - 1). */
const spread = ({ sharpe, skewness: skew, kurtosis: raw }: SharpeEstimate): number =>
  1 - skew * sharpe + ((raw - 1) / 4) * sharpe ** 2;

/** The standard error of a Sharpe ratio (Bailey and Lopez de Prado, 2012); null where the formula has none. */
export function sharpeError(estimate: SharpeEstimate): number | null {
  const variance = spread(estimate) / (estimate.n - 1);
  return estimate.n > 1 && variance > 0 ? Math.sqrt(variance) : null;
}

/** The probability that the true Sharpe ratio of a period is above `benchmark` (Bailey and Lopez de Prado, 2012). */
export function probabilisticSharpe(estimate: SharpeEstimate, benchmark = 0): number | null {
  const error = sharpeError(estimate);
  return error === null ? null : normalProbability((estimate.sharpe - benchmark) / error);
}

/**
 * The number of periods after which the Sharpe ratio would be above `benchmark` with that confidence (Bailey and Lopez de Prado,
 * 2012). Null if it is not above: no number is enough.
 */
export function minimumTrackRecord(
  estimate: Omit<SharpeEstimate, 'n'>,
  benchmark = 0,
  confidence = 0.95,
): number | null {
  const above = estimate.sharpe - benchmark;
  if (!(above > 0)) return null;
  return 1 + spread({ ...estimate, n: 0 }) * (normalQuantile(confidence) / above) ** 2;
}

const EULER_MASCHERONI = 0.5772156649015329;

/**
 * The probabilistic Sharpe ratio against the best one that so many trials without skill would show (Bailey and Lopez de Prado,
 * 2014). The deviation of the trials' ratios is that of the population. Null under two trials.
 */
export function deflatedSharpe(estimate: SharpeEstimate, trials: readonly number[]): number | null {
  const middle = mean(trials);
  if (middle === null || trials.length < 2) return null;
  const deviation = Math.sqrt(mean(trials.map((one) => (one - middle) ** 2)) ?? 0);
  const best = normalQuantile(1 - 1 / trials.length);
  const next = normalQuantile(1 - 1 / (trials.length * Math.E));
  const expected = deviation * ((1 - EULER_MASCHERONI) * best + EULER_MASCHERONI * next);
  return probabilisticSharpe(estimate, expected);
}
