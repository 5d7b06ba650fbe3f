import { mean, sampleDeviation } from './returns.js';

/** Two series of returns of the same periods. */
export interface PairedReturns {
  readonly own: readonly number[];
  readonly benchmark: readonly number[];
}

const productsOf = (first: readonly number[], second: readonly number[]): number | null => {
  const [one, other] = [mean(first), mean(second)];
  if (one === null || other === null) return null;
  return first.reduce((sum, value, at) => sum + (value - one) * ((second[at] ?? 0) - other), 0);
};

const differences = ({ own, benchmark }: PairedReturns): number[] =>
  own.map((value, at) => value - (benchmark[at] ?? 0));

/** Covariance / variance of the benchmark; null if the benchmark does not vary. */
export function beta({ own, benchmark }: PairedReturns): number | null {
  const [both, itself] = [productsOf(own, benchmark), productsOf(benchmark, benchmark)];
  return both === null || !itself || !sampleDeviation(benchmark) ? null : both / itself;
}

/** mean(r - beta x b) x periods a year, arithmetic; both are returns above the risk-free one. */
export function alpha(pairs: PairedReturns, periodsPerYear: number): number | null {
  const slope = beta(pairs);
  const { own, benchmark } = pairs;
  const rest = mean(own.map((value, at) => value - (slope ?? 0) * (benchmark[at] ?? 0)));
  return slope === null || rest === null ? null : rest * periodsPerYear;
}

/** Pearson's correlation; null if one of the two does not vary. */
export function correlation({ own, benchmark }: PairedReturns): number | null {
  const both = productsOf(own, benchmark);
  const [mine, theirs] = [sampleDeviation(own), sampleDeviation(benchmark)];
  if (both === null || !mine || !theirs) return null;
  return Math.max(-1, Math.min(1, both / (own.length - 1) / mine / theirs));
}

/** Sample deviation of (r - b) x root(periods a year); null under two periods. */
export function tracking(pairs: PairedReturns, periodsPerYear: number): number | null {
  const deviation = sampleDeviation(differences(pairs));
  return deviation === null ? null : deviation * Math.sqrt(periodsPerYear);
}
