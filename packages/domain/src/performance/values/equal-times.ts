import type { Timestamp } from '../../ids.js';
import { type Decimal, max, min } from '../../numbers/decimal.js';
import { DAY, HOUR, MINUTE } from '../../time.js';
import type { ValueBucket } from './value-history.js';

/** The steps of time that a history can be asked for in. */
export const INTERVALS = {
  '1m': MINUTE,
  '5m': 5 * MINUTE,
  '15m': 15 * MINUTE,
  '30m': 30 * MINUTE,
  '1h': HOUR,
  '4h': 4 * HOUR,
  '1d': DAY,
  '7d': 7 * DAY,
} as const;
export type Interval = keyof typeof INTERVALS;

/** One point of getStrategyHistory: the value at that time, and the extremes since the point before. */
export interface HistoryPoint {
  readonly at: Timestamp;
  readonly value: Decimal;
  readonly high: Decimal;
  readonly low: Decimal;
  /** Of an imported history, which nobody checked. */
  readonly claimed?: true;
  /** The benchmark's close of that day (UTC; at midnight of the one that ends) or the last before it, of 12 significant digits; null before its first one. */
  readonly benchmark?: string | null;
}

/** A span of time in steps of the same length; the last one may be shorter. */
export interface EqualSteps {
  readonly from: Timestamp;
  readonly to: Timestamp;
  /** Milliseconds. */
  readonly step: number;
}

/** The number of steps: at least one, so that a history of no time has its beginning and its end. */
export const countSteps = ({ from, to, step }: EqualSteps): number =>
  Math.max(1, Math.ceil((to - from) / step));

/** At most so many steps of equal length, none shorter than a minute unless the span is. */
export function stepsOf(from: Timestamp, to: Timestamp, most: number): EqualSteps {
  const count = Math.max(1, Math.min(most, Math.floor((to - from) / MINUTE)));
  if (from === to) return { from, to, step: MINUTE };
  // A hair longer, so that no rounding makes one step more.
  return { from, to, step: ((to - from) / count) * (1 + Number.EPSILON * 4) };
}

/**
 * The value at each step: `past` at the start, then that of the last sample at or before it. The extremes of a point are
 * those of the samples since the point before it, so that no extreme is lost. Buckets are oldest first.
 */
export function atEqualTimes(
  buckets: readonly Pick<ValueBucket, 'last' | 'lastAt' | 'high' | 'low'>[],
  steps: EqualSteps,
  past: Decimal,
): HistoryPoint[] {
  const points: HistoryPoint[] = [{ at: steps.from, value: past, high: past, low: past }];
  const count = countSteps(steps);
  let value = past;
  let next = 0;
  for (let index = 1; index <= count; index += 1) {
    const at = Math.min(steps.to, Math.round(steps.from + index * steps.step));
    let extremes: { readonly high: Decimal; readonly low: Decimal } | undefined;
    for (let bucket = buckets[next]; bucket && bucket.lastAt <= at; bucket = buckets[next]) {
      const { high, low } = bucket;
      value = bucket.last;
      extremes = extremes
        ? { high: max(extremes.high, high), low: min(extremes.low, low) }
        : { high, low };
      next += 1;
    }
    points.push({ at, value, ...(extremes ?? { high: value, low: value }) });
  }
  return points;
}
