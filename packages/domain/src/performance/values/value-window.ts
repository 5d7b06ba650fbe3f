import {
  type Decimal,
  ONE,
  PLACES,
  VALUE_PLACES,
  fraction,
  fromUnits,
  unitsOf,
} from '../../numbers/decimal.js';
import type { Timestamp } from '../../ids.js';
import { DAY, HOUR } from '../../time.js';
import {
  type Stage,
  type UnitSpan,
  endOf,
  stageOf,
  standingAt,
  textOf,
  withoutFirst,
} from './stages.js';
import type { ValueBucket } from './value-history.js';

const larger = (one: bigint, other: bigint): bigint => (other > one ? other : one);
const smaller = (one: bigint, other: bigint): bigint => (other < one ? other : one);

const WHOLE = 10n ** BigInt(PLACES);

/** The larger one of a drawdown and the fall from `peak` to `value`; most falls are seen to be smaller without a division. */
const deeper = (drawdown: bigint, peak: bigint, value: bigint): bigint =>
  peak <= 0n || (peak - value) * WHOLE <= drawdown * peak ? drawdown : fraction(peak - value, peak);

/** The drawdown of two successive spans, by the rule of `spanOfBoth`. */
function drawdownOfBoth({ high: peak, drawdown }: UnitSpan, later: UnitSpan): bigint {
  const { high, low, drawdown: own } = later;
  if (low >= 0n || peak <= 0n) return deeper(larger(drawdown, own), peak, low);
  const across = fraction(peak - low, peak);
  const isFromPeak = peak >= high || own < fraction(high - low, high);
  return larger(drawdown, isFromPeak ? across : smaller(own, across));
}

/** A span of one value. */
const unitSpanAt = (value: bigint): UnitSpan => ({ high: value, low: value, drawdown: 0n });

function joined(earlier: UnitSpan | null, later: UnitSpan | null): UnitSpan | null {
  if (!earlier || !later) return earlier ?? later;
  return {
    high: larger(earlier.high, later.high),
    low: smaller(earlier.low, later.low),
    drawdown: drawdownOfBoth(earlier, later),
  };
}

const inValueUnits = (value: Decimal): bigint => unitsOf(value, VALUE_PLACES);

function spanOf({ high, low, drawdown }: ValueBucket): UnitSpan {
  const units = inValueUnits(high);
  // Of a single sample both are the same.
  return {
    high: units,
    low: low === high ? units : inValueUnits(low),
    drawdown: unitsOf(drawdown, PLACES),
  };
}

/** Successive buckets as one span, and when the first of them leaves. */
export interface Stretch {
  readonly span: UnitSpan | null;
  readonly leavesAt: Timestamp;
}

/** No buckets. */
export const NO_STRETCH: Stretch = { span: null, leavesAt: Infinity };

/** The stretch with one more bucket, later than all others. */
export const withBucket = ({ span, leavesAt }: Stretch, bucket: ValueBucket): Stretch => ({
  span: joined(span, spanOf(bucket)),
  leavesAt: Math.min(leavesAt, bucket.lastAt),
});

/** The stretch with one more value, later than all others. */
export function withValue({ span, leavesAt }: Stretch, at: Timestamp, value: Decimal): Stretch {
  const units = inValueUnits(value);
  return {
    span: joined(span, unitSpanAt(units)),
    leavesAt: Math.min(leavesAt, at),
  };
}

/**
 * A timeframe's past value and drawdown, stored so that a request need not read its buckets: the oldest ones leave one by
 * one as time passes, new ones are added at the end. An immutable value; it is continued, or made again, when it does not stand
 * any more.
 */
export interface ValueWindow {
  /** As one text, because a strategy has up to a hundred, and as objects they would take ten times the memory. */
  readonly stages: string;
  /** The first of them. */
  readonly front: Stage;
  /** Later stages, far apart, as one text for all windows that were made together: between two of them few buckets are read. */
  readonly marks: string;
  /** The buckets added since it was made. */
  readonly added: Stretch;
}

/** The number of buckets that may leave before the window must be continued: each costs memory, and continuing it reads some. */
const STAGES = 16;
/** So many are kept with the last one, which never leaves. */
const MOST_WHOLE = STAGES + 1;

/**
 * How far apart marks are, by the age of the buckets after them: each costs memory, and continuing a window reads the buckets
 * between two. No bucket lies on both sides of a mark, because they merge within such periods of time.
 */
const PERIODS = [
  { age: DAY, period: HOUR },
  { age: 7 * DAY, period: DAY },
  { age: 30 * DAY, period: 5 * DAY },
  { age: 365 * DAY, period: 60 * DAY },
  { age: Infinity, period: 365 * DAY },
] as const;

/**
 * Makes the windows that begin at given times over the same buckets; they share what they have in common. Buckets must be
 * oldest first, of one segment, and include the last one at or before each time; `baseline` is the value before the first one.
 */
export function valueWindows(
  buckets: readonly ValueBucket[],
  baseline: Decimal = ONE,
): (from: Timestamp) => ValueWindow {
  const end = {
    leavesAt: Infinity,
    past: inValueUnits(buckets.at(-1)?.last ?? baseline),
    rest: null,
  };
  const stages = [...stagesOf(buckets, baseline, null), end];
  const marks = textOf(stages.filter((_, index) => isMark(buckets, index)));
  const whole = stages.length <= MOST_WHOLE ? textOf(stages) : undefined;
  const made = new Map<number, ValueWindow>();
  return (from) => {
    const first = buckets.findIndex((bucket) => bucket.lastAt > from);
    const inside = first < 0 ? buckets.length : first;
    const known = made.get(inside);
    if (known) return known;
    const text = whole && withoutFirst(whole, inside);
    const window = windowOf(stages.slice(inside), marks, NO_STRETCH, text);
    made.set(inside, window);
    return window;
  };
}

/** A window of the first of those stages; it has the last one only where there are few. `text`: that of all, if it is known. */
function windowOf(
  stages: readonly Stage[],
  marks: string,
  added: Stretch,
  text?: string,
): ValueWindow {
  const first = stages.length <= MOST_WHOLE ? stages : stages.slice(0, STAGES);
  return { stages: text ?? textOf(first), front: first[0] as Stage, marks, added };
}

/** Whether a period begins with that bucket. */
function isMark(buckets: readonly ValueBucket[], index: number): boolean {
  const [bucket, before, last] = [buckets[index], buckets[index - 1], buckets.at(-1)];
  if (!bucket || !before || !last) return false;
  const age = last.start - bucket.start;
  const { period } = PERIODS.find((one) => age <= one.age) as (typeof PERIODS)[number];
  return Math.floor(bucket.start / period) > Math.floor(before.start / period);
}

/** The stage of each bucket, which ends when that bucket leaves. `after`: what comes after all of them. */
function stagesOf(
  buckets: readonly ValueBucket[],
  baseline: Decimal,
  after: UnitSpan | null,
): Stage[] {
  const stages: Stage[] = [];
  let rest = after;
  for (let index = buckets.length - 1; index >= 0; index -= 1) {
    const bucket = buckets[index] as ValueBucket;
    rest = joined(spanOf(bucket), rest);
    const past = inValueUnits(buckets[index - 1]?.last ?? baseline);
    stages.push({ leavesAt: bucket.lastAt, past, rest });
  }
  return stages.reverse();
}

/** Past value and drawdown of a timeframe (spec 2.4). */
export interface Performance {
  readonly pastValue: Decimal;
  readonly maxDrawdown: Decimal;
}

/** The same as whole numbers: the value in units of `VALUE_PLACES`, the drawdown in units of `PLACES`. */
export interface UnitPerformance {
  readonly past: bigint;
  readonly drawdown: bigint;
}

/** The figures as decimals. */
export const inDecimals = ({ past, drawdown }: UnitPerformance): Performance => ({
  pastValue: fromUnits(past, VALUE_PLACES),
  maxDrawdown: fromUnits(drawdown, PLACES),
});

/** The figures as whole numbers. */
export const performanceInUnits = ({ pastValue, maxDrawdown }: Performance): UnitPerformance => ({
  past: inValueUnits(pastValue),
  drawdown: unitsOf(maxDrawdown, PLACES),
});

/** Whether a bucket that came after the window was made has left it: then it must be made again. */
const hasLeft = ({ added }: ValueWindow, from: Timestamp, recent: Stretch): boolean =>
  added.leavesAt <= from || recent.leavesAt <= from;

/**
 * The window as it stands at `from`, given the buckets that are not in it yet (`recent`); the same one while no bucket has
 * left. Undefined if more buckets have left than it has stages: it must be continued, or made again.
 */
export function windowAt(
  window: ValueWindow,
  from: Timestamp,
  recent: Stretch,
): ValueWindow | undefined {
  if (hasLeft(window, from, recent)) return undefined;
  if (window.front.leavesAt > from) return window;
  const { stages, marks, added } = window;
  const standing = standingAt(stages, from);
  return standing === undefined
    ? undefined
    : { stages: standing, front: stageOf(standing), marks, added };
}

/**
 * The mark up to which buckets must be read to continue a window that does not stand at `from`, as a time: those of them that
 * start before it. Undefined if the window must be made again.
 */
export function readUntil(
  window: ValueWindow,
  from: Timestamp,
  recent: Stretch,
): Timestamp | undefined {
  const marks = hasLeft(window, from, recent) ? undefined : standingAt(window.marks, from);
  return marks === undefined ? undefined : endOf(marks);
}

/**
 * The window from `from` on, where `readUntil` tells a time. `buckets` are those from the last one at or before `from` on, and
 * before that time; `baseline` is the value before the first one.
 */
export function continued(
  window: ValueWindow,
  from: Timestamp,
  buckets: readonly ValueBucket[],
  baseline: Decimal,
): ValueWindow {
  const mark = stageOf(standingAt(window.marks, from) as string);
  const left = buckets.findLast(({ lastAt }) => lastAt <= from);
  const inside = buckets.filter(({ lastAt }) => lastAt > from && lastAt < mark.leavesAt);
  const stages = [...stagesOf(inside, left?.last ?? baseline, mark.rest), mark];
  return windowOf(stages, window.marks, window.added);
}

/**
 * The performance over a window that stands, given the buckets that are not in it yet (`recent`) and the present value. It equals
 * `pastValue` and `maxDrawdown` of all buckets.
 */
export function performanceOf(
  { front: { past, rest }, added }: ValueWindow,
  recent: Stretch,
  now: bigint | null,
): UnitPerformance {
  let span = joined(joined(rest, added.span), recent.span);
  if (now !== null) span = joined(span, unitSpanAt(now));
  return { past, drawdown: span ? drawdownOfBoth(unitSpanAt(past), span) : 0n };
}

/** When time alone changes the answer of `performanceOf`, for a window that stands. */
export const standsUntil = ({ front, added }: ValueWindow, recent: Stretch): Timestamp =>
  Math.min(front.leavesAt, added.leavesAt, recent.leavesAt);
