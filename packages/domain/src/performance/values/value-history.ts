import { type Decimal, ONE } from '../../numbers/decimal.js';
import type { Timestamp } from '../../ids.js';
import { type Span, spanAt, spanOfBoth } from './drawdown.js';
import { MINUTE, HOUR, DAY } from '../../time.js';

/** A strategy's value in `[start, start + length)`. Merging neighbours keeps the last value, the extremes and the drawdown. */
export interface ValueBucket extends Span {
  readonly start: Timestamp;
  /** Milliseconds: a minute, 15 minutes, an hour or a day. */
  readonly length: number;
  readonly last: Decimal;
  readonly lastAt: Timestamp;
}

/** How long samples of each bucket length are kept (contract 3, "Value history"); older ones merge into the next. */
const RETENTION = [
  { length: MINUTE, keptFor: DAY },
  { length: 15 * MINUTE, keptFor: 7 * DAY },
  { length: HOUR, keptFor: 90 * DAY },
  { length: DAY, keptFor: Infinity },
] as const;

/** Milliseconds of each timeframe: rolling 24 hours, 7, 30, 365 and 1,826 days (contract 2). */
export const TIMEFRAME_LENGTHS = {
  day: DAY,
  week: 7 * DAY,
  month: 30 * DAY,
  year: 365 * DAY,
  five_year: 1826 * DAY,
} as const;

const startOf = (at: Timestamp, length: number): Timestamp =>
  at - (((at % length) + length) % length);

/** A bucket with one sample. */
const sampleIn = (
  start: Timestamp,
  length: number,
  lastAt: Timestamp,
  value: Decimal,
): ValueBucket => ({ start, length, last: value, lastAt, ...spanAt(value) });

/**
 * The minute bucket of the sample: `current` extended if the sample is in its time, otherwise a new one. After the clock was set
 * back, a sample counts at the last sample's time, so that stored buckets are never written again; `current` may have merged with
 * age by then, and stays one.
 */
export function addSample(
  current: ValueBucket | undefined,
  at: Timestamp,
  value: Decimal,
): ValueBucket {
  const time = current && current.lastAt > at ? current.lastAt : at;
  const isSame = current && time < current.start + current.length;
  return isSame
    ? mergeBuckets(current, sampleIn(current.start, current.length, time, value))
    : sampleIn(startOf(time, MINUTE), MINUTE, time, value);
}

/** The last bucket as it ends at a segment's start, and the first bucket of the segment: no bucket spans a start. */
export function splitAt(
  last: ValueBucket | undefined,
  startedAt: Timestamp,
  value: Decimal,
): readonly ValueBucket[] {
  const length = startOf(startedAt, MINUTE) + MINUTE - startedAt;
  const first = sampleIn(startedAt, length, startedAt, value);
  return last && last.start + last.length > startedAt
    ? [{ ...last, length: startedAt - last.start }, first]
    : [first];
}

/** Joins two successive buckets, from the earlier's start to the later's end. */
export function mergeBuckets(earlier: ValueBucket, later: ValueBucket): ValueBucket {
  const { start } = earlier;
  const { last, lastAt } = later;
  const { high, low, drawdown } = spanOfBoth(earlier, later);
  return { start, length: later.start + later.length - start, last, lastAt, high, low, drawdown };
}

/** A sample this much later than now is of a moment in which the clock was ahead; less is how clocks are corrected. */
const AHEAD = 10 * MINUTE;

/** Whether the last sample is so far ahead that those of now would count at its time for long. */
export const isAhead = (last: Pick<ValueBucket, 'lastAt'>, now: Timestamp): boolean =>
  last.lastAt - now > AHEAD;

/**
 * The samples of a moment in which the clock was ahead, as one bucket of now: they came before now, so the last value and the
 * extremes stay true. Of `buckets`, oldest first, the one that `now` lies in comes before them, if there is one.
 */
export function broughtBack(
  buckets: readonly ValueBucket[],
  now: Timestamp,
): { readonly removed: readonly Timestamp[]; readonly saved: ValueBucket | undefined } {
  const present = buckets.find(
    ({ start, length, lastAt }) => lastAt <= now && now < start + length,
  );
  const ahead = buckets.filter(({ lastAt }) => lastAt > now);
  const { start, length } = present ?? { start: startOf(now, MINUTE), length: MINUTE };
  const [first, ...others] = present ? [present, ...ahead] : ahead;
  const saved = first && {
    ...others.reduce(mergeBuckets, first),
    ...{ start, length, lastAt: now },
  };
  return { removed: ahead.map((bucket) => bucket.start), saved };
}

/** The longest bucket length for a sample of that start at this time; a window merges once all of it is old enough. */
function lengthNow(start: Timestamp, now: Timestamp): number {
  const aged = RETENTION.findLast(({ length }, index) => {
    const shorter = RETENTION[index - 1];
    return !shorter || now - (startOf(start, length) + length) > shorter.keptFor;
  });
  return aged?.length ?? MINUTE;
}

/** The buckets that can have grown old by `now`: those that start before a time and are shorter than they should be there. */
export const mergeable = (
  now: Timestamp,
): readonly { readonly before: Timestamp; readonly length: number }[] =>
  RETENTION.flatMap(({ keptFor }, index) => {
    const next = RETENTION[index + 1];
    return next ? [{ before: now - keptFor, length: next.length }] : [];
  });

type Range = Pick<ValueBucket, 'start' | 'length'>;

/** The range of the merged bucket that a bucket belongs to; it does not span a start of a segment. */
function rangeOf(bucket: Range, length: number, starts: readonly Timestamp[]): Range {
  const whole = startOf(bucket.start, length);
  const start = Math.max(whole, starts.findLast((one) => one <= bucket.start) ?? whole);
  const end = Math.min(whole + length, starts.find((one) => one > bucket.start) ?? Infinity);
  return { start, length: end - start };
}

/** Merges buckets of one kind that have grown old. */
type Compact<Bucket> = (
  buckets: readonly Bucket[],
  now: Timestamp,
  starts?: readonly Timestamp[],
) => { readonly removed: readonly Timestamp[]; readonly saved: readonly Bucket[] };

/**
 * The old buckets to remove and their replacements; both lists are empty if no bucket has grown old. Buckets must be oldest
 * first. `starts` are those of the segments.
 */
export const compactBy =
  <Bucket extends Range>(merge: (earlier: Bucket, later: Bucket) => Bucket): Compact<Bucket> =>
  (buckets, now, starts = []) => {
    const merged = new Map<Timestamp, { bucket: Bucket; parts: Bucket[] }>();
    for (const bucket of buckets) {
      const range = rangeOf(bucket, lengthNow(bucket.start, now), starts);
      if (range.length <= bucket.length) continue;
      const into = merged.get(range.start);
      merged.set(range.start, {
        bucket: { ...(into ? merge(into.bucket, bucket) : bucket), ...range },
        parts: [...(into?.parts ?? []), bucket],
      });
    }
    const groups = [...merged.values()];
    return {
      removed: groups.flatMap(({ bucket, parts }) =>
        parts.map((part) => part.start).filter((start) => start !== bucket.start),
      ),
      saved: groups.map(({ bucket }) => bucket),
    };
  };

/** Merges the old samples of a strategy. */
export const compact = compactBy(mergeBuckets);

/** The last sample at or before `from`, otherwise the baseline (contract 3). Buckets must be oldest first, and of one segment. */
export const pastValue = (
  buckets: readonly ValueBucket[],
  from: Timestamp,
  baseline: Decimal = ONE,
): Decimal => buckets.findLast((bucket) => bucket.lastAt <= from)?.last ?? baseline;

/**
 * The largest (peak - value) / peak over past_value, the samples since `from` and the present value; zero without a fall
 * (contract 3). The peak is the highest value before.
 */
export function maxDrawdown(
  buckets: readonly ValueBucket[],
  from: Timestamp,
  now: Decimal | null,
  baseline: Decimal = ONE,
): Decimal {
  let span = spanAt(pastValue(buckets, from, baseline));
  for (const bucket of buckets) if (bucket.lastAt > from) span = spanOfBoth(span, bucket);
  return now ? spanOfBoth(span, spanAt(now)).drawdown : span.drawdown;
}
