import { Refusal } from '@slipstream/domain';

/** The fewest returns of a return ratio, as getStrategyStatistics takes them (contract 9). */
export const MIN_RETURNS = 30;
const [LEAST_N, MOST_N] = [2, 1000];

/** Reads `--min-n`. */
export function returnsOf(text: string): number {
  const value = Number(text);
  if (Number.isInteger(value) && value >= LEAST_N && value <= MOST_N) return value;
  throw new Refusal('invalid_field', `--min-n must be a whole number from ${LEAST_N} to ${MOST_N}`);
}
