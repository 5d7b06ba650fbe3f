/** The median; for an even number of values the mean of the two middle ones. Throws if there are no values. */
export function median(values: readonly number[]): number {
  const sorted = ascending(values);
  const middle = sorted.length >> 1;
  const upper = at(sorted, middle);
  return sorted.length % 2 === 1 ? upper : (at(sorted, middle - 1) + upper) / 2;
}

/** The smallest value that at least `share` (0 to 1) of the values do not exceed. Throws if there are no values. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = ascending(values);
  return at(sorted, Math.max(0, Math.ceil(share * sorted.length) - 1));
}

/** The spread of the values as a fraction of their median: 0 if all are equal. */
export function spread(values: readonly number[]): number {
  const middle = median(values);
  const width = Math.max(...values) - Math.min(...values);
  return width === 0 ? 0 : width / Math.abs(middle);
}

const ascending = (values: readonly number[]): number[] =>
  [...values].sort((first, second) => first - second);

function at(sorted: readonly number[], index: number): number {
  const value = sorted[index];
  if (value === undefined) throw new Error('there are no values');
  return value;
}
