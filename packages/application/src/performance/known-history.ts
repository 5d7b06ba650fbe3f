import {
  type Baseline,
  type Decimal,
  type Performance,
  type OverTimeframes,
  TIMEFRAMES,
  TIMEFRAME_LENGTHS,
  type Timestamp,
  type Stretch,
  type UnitPerformance,
  VALUE_PLACES,
  type ValueBucket,
  type ValueWindow,
  addSample,
  inDecimals,
  overEach,
  performanceOf,
  standsUntil,
  type Timeframe,
  unitsOf,
  windowAt,
  withValue,
} from '@slipstream/domain';

/** Past value and drawdown over each timeframe and over the whole segment; the same object while nothing in it has changed. */
export interface PerformanceOver {
  readonly timeframes: OverTimeframes<Performance>;
  readonly segment: Performance;
}

/** A span of time that ends now. */
export type Reach = Timeframe | 'segment';

/** The start of the span; no span reaches across the start of a segment. */
export const startOf = (reach: Reach, now: Timestamp): Timestamp =>
  reach === 'segment' ? -Infinity : now - TIMEFRAME_LENGTHS[reach];

/** A result, with the moments and the value for which it holds. */
interface Answer {
  readonly timeframes: readonly Timeframe[];
  readonly last: ValueBucket | undefined;
  readonly since: Timestamp;
  readonly until: Timestamp;
  readonly value: Decimal | null;
  readonly performance: PerformanceOver;
}

/** The parts of a history that was read. The windows contain every bucket of the segment that ended at or before `through`. */
export interface ReadHistory {
  /** The last bucket. Other content means that the history was written since. */
  readonly last: ValueBucket | undefined;
  /** The time at which the history was read. */
  readonly at: Timestamp;
  readonly through: Timestamp;
  readonly baseline: Baseline;
  /** Each as it stood when it was asked for last: it stands from then on. */
  readonly windows: { [Of in Reach]?: ValueWindow };
  /** The latest moment at which a window was asked for. */
  standsFrom: Timestamp;
  /** What came after `through`. */
  readonly recent: Stretch;
}

/** Figures over some timeframes in their order, and until when they change with the value and the history alone. */
export interface Glance {
  /** The present value in units of `VALUE_PLACES`; null while unavailable. */
  readonly units: bigint | null;
  readonly over: readonly UnitPerformance[];
  readonly heldUntil: Timestamp;
}

/** A strategy's history in memory. */
export class KnownHistory {
  /** The last one for each list of timeframes: most have one. */
  private answers: readonly Answer[] = [];

  constructor(readonly read: ReadHistory) {}

  forgetAnswers(): void {
    this.answers = [];
  }

  /** The history with one more sample, if that is what makes its last bucket `bucket`. */
  sampled(bucket: ValueBucket): KnownHistory | undefined {
    const { last, recent, baseline, at } = this.read;
    const { last: value, lastAt } = bucket;
    const isSample = isSameBucket(addSample(last, lastAt, value), bucket);
    if (!isSample || bucket.start < baseline.since) return undefined;
    const next = new KnownHistory({
      ...this.read,
      ...{ last: bucket, at: Math.max(at, lastAt), recent: withValue(recent, lastAt, value) },
    });
    next.answers = this.answers;
    return next;
  }

  /** The figures at `now` with the present value, in units. Undefined if a window would have to reach further back than it does. */
  glance(
    timeframes: readonly Timeframe[],
    now: Timestamp,
    units: bigint | null,
  ): Glance | undefined {
    const { at, recent, standsFrom } = this.read;
    if (now < at || now < standsFrom) return undefined;
    this.read.standsFrom = now;
    const over: UnitPerformance[] = [];
    let [heldUntil, before]: [Timestamp, ValueWindow | undefined] = [Infinity, undefined];
    for (const timeframe of timeframes) {
      const window = this.standing(timeframe, now);
      if (!window) return undefined;
      const last = over.at(-1);
      over.push(last && window === before ? last : performanceOf(window, recent, units));
      before = window;
      const until = standsUntil(window, recent) + TIMEFRAME_LENGTHS[timeframe];
      heldUntil = Math.min(heldUntil, until);
    }
    return { units, over, heldUntil };
  }

  /** The same as decimals, with the whole segment. */
  performance(
    timeframes: readonly Timeframe[],
    now: Timestamp,
    value: Decimal | null,
  ): PerformanceOver | undefined {
    const before = this.answers.find((answer) => answer.timeframes === timeframes);
    const { last } = this.read;
    if (
      before &&
      before.last === last &&
      now >= before.since &&
      now < before.until &&
      isSame(value, before.value)
    )
      return before.performance;
    const units = value && unitsOf(value, VALUE_PLACES);
    const found = this.glance(timeframes, now, units);
    const whole = this.standing('segment', now);
    if (!found || !whole) return undefined;
    const segment = inDecimals(performanceOf(whole, this.read.recent, units));
    const known: Performance[] = [segment];
    // A strategy of a few days has the same figures over a month and over a year.
    const over = found.over.map((one) => {
      const figures = inDecimals(one);
      const same = known.find((other) => isEqual(other, figures));
      if (!same) known.push(figures);
      return same ?? figures;
    });
    const next = { timeframes: overEach(timeframes, (_, index) => over[index]), segment };
    const performance =
      before && isSamePerformance(next, before.performance) ? before.performance : next;
    const others = this.answers.filter((answer) => answer !== before);
    const until = found.heldUntil;
    this.answers = [...others, { timeframes, last, since: now, until, value, performance }];
    return performance;
  }

  /** The window of that reach, which is kept as it stands now: the next call is later. */
  private standing(reach: Reach, now: Timestamp): ValueWindow | undefined {
    const { windows, recent } = this.read;
    const window = windows[reach];
    const standing = window && windowAt(window, startOf(reach, now), recent);
    if (standing) windows[reach] = standing;
    return standing;
  }
}

/** Whether nothing was added to the history since: each sample changes its last bucket, or starts another one. */
export const isSameBucket = (
  one: ValueBucket | undefined,
  other: ValueBucket | undefined,
): boolean =>
  one === other ||
  (one !== undefined &&
    other !== undefined &&
    one.start === other.start &&
    one.length === other.length &&
    one.lastAt === other.lastAt &&
    isSame(one.last, other.last) &&
    isSame(one.high, other.high) &&
    isSame(one.low, other.low) &&
    isSame(one.drawdown, other.drawdown));

const isSame = (one: Decimal | null, other: Decimal | null): boolean =>
  one === other || (one !== null && other !== null && one.eq(other));

const isEqual = (one: Performance | undefined, other: Performance | undefined): boolean =>
  one === other ||
  (one !== undefined &&
    other?.pastValue.eq(one.pastValue) === true &&
    other.maxDrawdown.eq(one.maxDrawdown));

const isSamePerformance = (found: PerformanceOver, before: PerformanceOver): boolean =>
  isEqual(found.segment, before.segment) &&
  TIMEFRAMES.every((timeframe) =>
    isEqual(found.timeframes[timeframe], before.timeframes[timeframe]),
  );
