import type { Timestamp } from '../ids.js';
import { type Decimal, divide } from '../numbers/decimal.js';
import { Refusal } from '../refusal.js';
import { type EqualSteps, type HistoryPoint, atEqualTimes } from './values/equal-times.js';

/** A value that the owner claims for a time before the strategy was here. */
export interface ClaimedPoint {
  readonly at: Timestamp;
  /** Normalized: the first point is 1. */
  readonly value: Decimal;
}

/** The span of what an owner claims of the time before the strategy was here. Nobody checked it, so it counts in no figure (contract 12). */
export interface ClaimedHistory {
  readonly start: Timestamp;
  readonly end: Timestamp;
  readonly importedAt: Timestamp;
}

/** The most points of a claimed history: thirteen years of days. */
export const MAX_CLAIMED_POINTS = 5_000;

/**
 * The points in units of the first one. Their values are above zero, in any unit.
 * @throws Refusal `invalid_field` unless they are two or more, oldest first, all before `createdAt`.
 */
export function claimedPoints(
  given: readonly ClaimedPoint[],
  createdAt: Timestamp,
): readonly [ClaimedPoint, ...ClaimedPoint[]] {
  const [first, ...others] = given;
  const last = others.at(-1);
  if (!first || !last)
    throw new Refusal('invalid_field', 'a claimed history needs two points or more');
  const unordered = others.findIndex(({ at }, index) => at <= (given[index]?.at ?? at));
  if (unordered !== -1)
    throw new Refusal(
      'invalid_field',
      `points[${unordered + 1}].at must be later than that of the point before it`,
    );
  if (last.at >= createdAt)
    throw new Refusal(
      'invalid_field',
      'all points must be before the strategy was created (created_at): later values are its own',
    );
  const inUnits = ({ at, value }: ClaimedPoint) => ({ at, value: divide(value, first.value) });
  return [inUnits(first), ...others.map(inUnits)];
}

/** The claimed values at equal steps of time: at each the last point at or before it. */
export function claimedAtEqualTimes(
  points: readonly ClaimedPoint[],
  steps: EqualSteps,
): HistoryPoint[] {
  const past = points.findLast(({ at }) => at <= steps.from);
  if (!past) return [];
  const later = points.filter(({ at }) => at > steps.from);
  const samples = later.map(({ at, value }) => ({
    lastAt: at,
    ...{ last: value, high: value, low: value },
  }));
  return atEqualTimes(samples, steps, past.value).map((point) => ({
    ...point,
    claimed: true as const,
  }));
}
