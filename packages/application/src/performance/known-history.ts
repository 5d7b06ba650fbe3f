import {
  type Decimal,
  type Performance,
  TIMEFRAME_LENGTHS,
  type Timestamp,
  type ValueBucket,
  type ValueWindow,
  performanceOf,
  unchangedUntil,
  type Timeframe,
} from '@slipstream/domain';

/** Past value and drawdown over each timeframe; the same object while nothing in it has changed. */
export type PerformanceOver = ReadonlyMap<Timeframe, Performance>;

/** A result, with the moments and the value for which it holds. */
interface Answer {
  readonly since: Timestamp;
  readonly until: Timestamp;
  readonly value: Decimal | null;
  readonly performance: PerformanceOver;
}

/** A strategy's history in memory. The windows contain every bucket that ended at or before `through`. */
export class KnownHistory {
  private readonly answers = new Map<readonly Timeframe[], Answer>();

  constructor(
    /** The last bucket. Other content means that the history was written since. */
    readonly last: ValueBucket | undefined,
    /** The time at which the history was read. */
    readonly at: Timestamp,
    readonly through: Timestamp,
    readonly windows: ReadonlyMap<Timeframe, ValueWindow>,
    /** The buckets after `through`. */
    readonly recent: readonly ValueBucket[],
  ) {}

  /** The performance at `now` with the present value. Undefined if a window would have to reach further back than it does. */
  performance(
    timeframes: readonly Timeframe[],
    now: Timestamp,
    value: Decimal | null,
  ): PerformanceOver | undefined {
    const before = this.answers.get(timeframes);
    if (before && now >= before.since && now < before.until && isSame(value, before.value)) {
      return before.performance;
    }
    if (now < this.at) return undefined;
    const found = new Map<Timeframe, Performance>();
    let until = Infinity;
    for (const timeframe of timeframes) {
      const length = TIMEFRAME_LENGTHS[timeframe];
      const window = this.windows.get(timeframe);
      const known = window && performanceOf(window, now - length, this.recent, value);
      if (!known) return undefined;
      found.set(timeframe, known);
      until = Math.min(until, unchangedUntil(window, now - length, this.recent) + length);
    }
    const performance =
      before && isSamePerformance(found, before.performance) ? before.performance : found;
    this.answers.set(timeframes, { since: now, until, value, performance });
    return performance;
  }
}

const isSame = (one: Decimal | null, other: Decimal | null): boolean =>
  one === other || (one !== null && other !== null && one.eq(other));

const isSamePerformance = (found: PerformanceOver, before: PerformanceOver): boolean =>
  [...found].every(([timeframe, { pastValue, maxDrawdown }]) => {
    const other = before.get(timeframe);
    return other?.pastValue.eq(pastValue) && other.maxDrawdown.eq(maxDrawdown);
  });
