import { median } from '../measure/statistics.js';

/** Measures this many rounds and takes the median of each figure. */
export async function medianOf(
  rounds: number,
  round: (number: number) => Promise<readonly number[]>,
): Promise<number[]> {
  const seen: (readonly number[])[] = [];
  for (let number = 0; number < rounds; number += 1) seen.push(await round(number));
  const [first = []] = seen;
  return first.map((_, at) => median(seen.map((figures) => figures[at] ?? NaN)));
}
