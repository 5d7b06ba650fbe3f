/** The arithmetic mean; null of nothing. */
export const mean = (values: readonly number[]): number | null =>
  values.length === 0 ? null : values.reduce((sum, value) => sum + value, 0) / values.length;

/** A deviation of equal returns that is not zero comes from the rounding of doubles. */
const NOISE = 1e-12;
const withoutNoise = (deviation: number, values: readonly number[]): number =>
  deviation <= NOISE * values.reduce((most, value) => Math.max(most, Math.abs(value)), 1)
    ? 0
    : deviation;

/** The mean of the n-th powers of the distances from the mean (population). */
function moment(values: readonly number[], power: number): number | null {
  const middle = mean(values);
  if (middle === null) return null;
  let sum = 0;
  for (const value of values) {
    const distance = value - middle;
    // A general power takes longer than its few products.
    let product = distance;
    for (let factor = 1; factor < power; factor += 1) product *= distance;
    sum += product;
  }
  return sum / values.length;
}

/** The sample standard deviation (n - 1); null under two values. */
export function sampleDeviation(values: readonly number[]): number | null {
  const variance = moment(values, 2);
  if (variance === null || values.length < 2) return null;
  return withoutNoise(Math.sqrt((variance * values.length) / (values.length - 1)), values);
}

/** Sample deviation x root(periods a year). */
export function volatility(returns: readonly number[], periodsPerYear: number): number | null {
  const deviation = sampleDeviation(returns);
  return deviation === null ? null : deviation * Math.sqrt(periodsPerYear);
}

/** Mean over sample deviation, of one period; `excess` are the returns above the risk-free one. Null at zero deviation. */
export function periodSharpe(excess: readonly number[]): number | null {
  const [middle, deviation] = [mean(excess), sampleDeviation(excess)];
  return middle === null || !deviation ? null : middle / deviation;
}

/** The yearly Sharpe ratio of returns above the risk-free one: mean / sample deviation x root(periods a year). */
export function sharpe(excess: readonly number[], periodsPerYear: number): number | null {
  const one = periodSharpe(excess);
  return one === null ? null : one * Math.sqrt(periodsPerYear);
}

/**
 * root(mean over all periods of min(r, 0)^2) x root(periods a year): periods without a loss count with zero (Sortino). It is not
 * the deviation of the losses.
 */
export function downsideDeviation(
  excess: readonly number[],
  periodsPerYear: number,
): number | null {
  const squares = mean(excess.map((value) => Math.min(value, 0) ** 2));
  return squares === null
    ? null
    : withoutNoise(Math.sqrt(squares), excess) * Math.sqrt(periodsPerYear);
}

/** Mean x periods a year / downside deviation; null without a loss. */
export function sortino(excess: readonly number[], periodsPerYear: number): number | null {
  const [middle, downside] = [mean(excess), downsideDeviation(excess, periodsPerYear)];
  return middle === null || !downside ? null : (middle * periodsPerYear) / downside;
}

/** (1 + r) multiplied, less 1; null of nothing. */
export const compounded = (returns: readonly number[]): number | null =>
  returns.length === 0 ? null : returns.reduce((growth, one) => growth * (1 + one), 1) - 1;

/** (end / start)^(1 / years) - 1; null where the growth or the time is not positive. */
export const cagr = (growth: number, years: number): number | null =>
  growth > 0 && years > 0 ? growth ** (1 / years) - 1 : null;

/** Population skewness; null at zero deviation. */
export const skewness = (values: readonly number[]): number | null => standardized(values, 3);

/** Population kurtosis, raw: 3 for the normal distribution, not 0. Null at zero deviation. */
export const kurtosis = (values: readonly number[]): number | null => standardized(values, 4);

function standardized(values: readonly number[], power: number): number | null {
  const [variance, powered] = [moment(values, 2), moment(values, power)];
  if (variance === null || powered === null || !sampleDeviation(values)) return null;
  return powered / Math.sqrt(variance) ** power;
}
