import { type Decimal, ONE, ZERO, decimal, max } from '../../numbers/decimal.js';
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

/** Successive buckets as one span, and when the first of them leaves. */
export interface Stretch {
  readonly span: Span | null;
  readonly leavesAt: Timestamp;
}

/** No buckets. */
export const NO_STRETCH: Stretch = { span: null, leavesAt: Infinity };

/** The stretch with one more bucket, later than all others. */
export const withBucket = ({ span, leavesAt }: Stretch, bucket: ValueBucket): Stretch => ({
  span: spanOf(joined(span, bucket)),
  leavesAt: Math.min(leavesAt, bucket.lastAt),
});

/**
 * A timeframe's past value and drawdown, stored so that a request need not read its buckets: the oldest ones leave one by
 * one as time passes, new ones are added at the end. An immutable value; it must be made again when it answers undefined.
 */
export interface ValueWindow {
  /** As one text, because a strategy has up to a hundred, and as objects they would take ten times the memory. */
  readonly stages: string;
  /** The buckets added since it was made. */
  readonly added: Stretch;
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
      stages: textOf(stages.slice(inside, isWhole ? undefined : inside + STAGES)),
      added: NO_STRETCH,
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

/** Fields stand between spaces, stages between commas. A rest that is the one of the next stage is left out. */
const textOf = (stages: readonly Stage[]): string =>
  stages
    .map(({ leavesAt, past, rest }, index) => {
      const span = rest && [rest.high, rest.low, rest.drawdown].map((one) => one.toFixed());
      const isNext = rest !== null && rest === stages[index + 1]?.rest;
      return [leavesAt, past.toFixed(), ...(isNext ? [] : (span ?? [NO_REST]))].join(' ');
    })
    .join(',');

const NO_REST = '-';

/** When the stage of that text ends. */
const endOf = (text: string): Timestamp => Number(text.slice(0, text.indexOf(' ')));

/** The texts of the stages that have not ended at `from`. */
function standing({ stages }: ValueWindow, from: Timestamp): readonly string[] {
  const texts = stages.split(',');
  const first = texts.findIndex((text) => endOf(text) > from);
  return first < 0 ? [] : texts.slice(first);
}

function stageOf(texts: readonly string[]): Stage | undefined {
  const [first] = texts;
  if (first === undefined) return undefined;
  const [leavesAt, past] = first.split(' ') as [string, string];
  const whole = texts.find((text) => text.indexOf(' ', text.indexOf(' ') + 1) > 0) ?? first;
  const [, , high, low, drawdown] = whole.split(' ');
  const rest =
    low === undefined || drawdown === undefined
      ? null
      : { high: decimal(high as string), low: decimal(low), drawdown: decimal(drawdown) };
  return { leavesAt: Number(leavesAt), past: decimal(past), rest };
}

/** Past value and drawdown of a timeframe (spec 2.4). */
export interface Performance {
  readonly pastValue: Decimal;
  readonly maxDrawdown: Decimal;
}

/**
 * The performance from `from`, given the buckets that are not in the window yet (`recent`) and the present value. It equals
 * `pastValue` and `maxDrawdown` of all buckets if no value is negative (below zero the deepest fall from any peak counts, not
 * from the highest). Undefined if more buckets have left than the window has stages.
 */
export function performanceOf(
  window: ValueWindow,
  from: Timestamp,
  recent: Stretch,
  now: Decimal | null,
): Performance | undefined {
  // A recent bucket can only have left a window that is shorter than the recent time; such a window is made again.
  if (window.added.leavesAt <= from || recent.leavesAt <= from) return undefined;
  const stage = stageOf(standing(window, from));
  if (!stage) return undefined;
  const { past } = stage;
  let span = joined(joined(stage.rest, window.added.span), recent.span);
  if (now) span = joined(span, { high: now, low: now, drawdown: ZERO });
  return {
    pastValue: past,
    maxDrawdown: span ? max(span.drawdown, fall(past, span.low)) : ZERO,
  };
}

/** Until when, seen from `from`, time alone does not change the answer of `performanceOf`. */
export function unchangedUntil(window: ValueWindow, from: Timestamp, recent: Stretch): Timestamp {
  const [stage] = standing(window, from);
  const stageLeaves = stage === undefined ? from : endOf(stage);
  return Math.min(stageLeaves, window.added.leavesAt, recent.leavesAt);
}
