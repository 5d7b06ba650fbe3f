import { type Decimal, ONE, ZERO, max } from '../../numbers/decimal.js';
import type { Timestamp } from '../../ids.js';
import { type Span, fall, spanOfBoth } from './drawdown.js';
import type { ValueBucket } from './value-history.js';

const joined = (earlier: Span | null, later: Span | null): Span | null =>
  !earlier || !later ? (earlier ?? later) : spanOfBoth(earlier, later);

/** The window while its oldest bucket is the one that leaves at `leavesAt`. */
interface Stage {
  readonly leavesAt: Timestamp;
  readonly past: Decimal;
  readonly rest: Span | null;
}

/**
 * A timeframe's past value and drawdown, stored so that a request need not read its buckets: the oldest ones leave one by
 * one as time passes, new ones are added at the end. An immutable value; it must be made again when it answers undefined.
 */
export interface ValueWindow {
  readonly stages: readonly Stage[];
  /** The span of the buckets added since it was made. */
  readonly added: Span | null;
  /** When the first added bucket leaves. */
  readonly addedLeavesAt: Timestamp;
}

/**
 * The number of buckets that may leave before the window must be made again: each costs memory, and making it reads all
 * buckets.
 */
const STAGES = 16;

/**
 * Makes the windows that begin at given times over the same buckets; they share what they have in common. Buckets must be
 * oldest first, of one segment, and include the last one at or before each time; `baseline` is the value before the first one.
 */
export function valueWindows(
  buckets: readonly ValueBucket[],
  baseline: Decimal = ONE,
): (from: Timestamp) => ValueWindow {
  const stages = stagesOf(buckets, baseline);
  const made = new Map<number, ValueWindow>();
  return (from) => {
    const first = buckets.findIndex((bucket) => bucket.lastAt > from);
    const inside = first < 0 ? buckets.length : first;
    const known = made.get(inside);
    if (known) return known;
    const isWhole = buckets.length - inside <= STAGES;
    const window = {
      stages: stages.slice(inside, isWhole ? undefined : inside + STAGES),
      added: null,
      addedLeavesAt: Infinity,
    };
    made.set(inside, window);
    return window;
  };
}

/** The stage of each bucket, which ends when that bucket leaves, and the one after every bucket has left. */
function stagesOf(buckets: readonly ValueBucket[], baseline: Decimal): Stage[] {
  const pastBefore = (index: number): Decimal => buckets[index - 1]?.last ?? baseline;
  const stages: Stage[] = [{ leavesAt: Infinity, past: pastBefore(buckets.length), rest: null }];
  let rest: Span | null = null;
  for (let index = buckets.length - 1; index >= 0; index -= 1) {
    const bucket = buckets[index] as ValueBucket;
    rest = sharing(joined(bucket, rest) ?? bucket, rest);
    stages.push({ leavesAt: bucket.lastAt, past: pastBefore(index), rest });
  }
  return stages.reverse();
}

/** The span with the figures of the one after it where they are equal: extremes stay the same over many buckets. */
function sharing(span: Span, later: Span | null): Span {
  const { high, low, drawdown } = span;
  if (!later) return { high, low, drawdown };
  const shared = {
    high: high.eq(later.high) ? later.high : high,
    low: low.eq(later.low) ? later.low : low,
    drawdown: drawdown.eq(later.drawdown) ? later.drawdown : drawdown,
  };
  const isSame =
    shared.high === later.high && shared.low === later.low && shared.drawdown === later.drawdown;
  return isSame ? later : shared;
}

const spanOf = (span: Span | null): Span | null =>
  span && { high: span.high, low: span.low, drawdown: span.drawdown };

/** The window with one more bucket, later than all others. */
export const withBucket = (window: ValueWindow, bucket: ValueBucket): ValueWindow => ({
  ...window,
  added: spanOf(joined(window.added, bucket)),
  addedLeavesAt: Math.min(window.addedLeavesAt, bucket.lastAt),
});

/** Past value and drawdown of a timeframe (spec 2.4). */
export interface Performance {
  readonly pastValue: Decimal;
  readonly maxDrawdown: Decimal;
}

/**
 * The performance from `from`, given the buckets that are not in the window yet (`recent`, oldest first) and the present
 * value. It equals `pastValue` and `maxDrawdown` of all buckets if no value is negative (below zero the deepest fall from
 * any peak counts, not from the highest). Undefined if more buckets have left than the window has stages.
 */
export function performanceOf(
  window: ValueWindow,
  from: Timestamp,
  recent: readonly ValueBucket[],
  now: Decimal | null,
): Performance | undefined {
  const stage = window.stages.find(({ leavesAt }) => leavesAt > from);
  if (!stage || window.addedLeavesAt <= from) return undefined;
  // A recent bucket can only have left a window that is shorter than the recent time; such a window is made again.
  if (recent.some((bucket) => bucket.lastAt <= from)) return undefined;
  const { past } = stage;
  let span = joined(stage.rest, window.added);
  for (const bucket of recent) span = joined(span, bucket);
  if (now) span = joined(span, { high: now, low: now, drawdown: ZERO });
  return {
    pastValue: past,
    maxDrawdown: span ? max(span.drawdown, fall(past, span.low)) : ZERO,
  };
}

/** Until when, seen from `from`, time alone does not change the answer of `performanceOf`. */
export function unchangedUntil(
  window: ValueWindow,
  from: Timestamp,
  recent: readonly ValueBucket[],
): Timestamp {
  const stage = window.stages.find(({ leavesAt }) => leavesAt > from);
  const leaving = [stage?.leavesAt ?? from, window.addedLeavesAt];
  return Math.min(...leaving, ...recent.map(({ lastAt }) => lastAt));
}
