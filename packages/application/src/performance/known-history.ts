import {
  type Baseline,
  type Decimal,
  type Performance,
  type OverTimeframes,
  TIMEFRAMES,
  TIMEFRAME_LENGTHS,
  type Timestamp,
  type Stretch,
  type ValueBucket,
  type ValueWindow,
  overEach,
  performanceOf,
  unchangedUntil,
  type Timeframe,
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
  readonly windows: { readonly [Of in Reach]?: ValueWindow };
  /** The buckets after `through`. */
  readonly recent: Stretch;
}

/** A strategy's history in memory. */
export class KnownHistory {
  /** The last one for each list of timeframes: most have one. */
  private answers: readonly Answer[] = [];

  constructor(readonly read: ReadHistory) {}

  /** Until when the last answer changes with the value and the history alone, not with time. */
  heldUntil(timeframes: readonly Timeframe[]): Timestamp {
    return this.answerOver(timeframes)?.until ?? -Infinity;
  }

  private answerOver(timeframes: readonly Timeframe[]): Answer | undefined {
    return this.answers.find((answer) => answer.timeframes === timeframes);
  }

  /** The performance at `now` with the present value. Undefined if a window would have to reach further back than it does. */
  performance(
    timeframes: readonly Timeframe[],
    now: Timestamp,
    value: Decimal | null,
  ): PerformanceOver | undefined {
    const before = this.answerOver(timeframes);
    if (before && now >= before.since && now < before.until && isSame(value, before.value)) {
      return before.performance;
    }
    const { at, windows, recent } = this.read;
    if (now < at) return undefined;
    const over = (reach: Reach): Performance | undefined => {
      const window = windows[reach];
      return window && performanceOf(window, startOf(reach, now), recent, value);
    };
    const segment = over('segment');
    if (!segment) return undefined;
    const found: Performance[] = [];
    let until = Infinity;
    for (const timeframe of timeframes) {
      const window = windows[timeframe];
      const known = over(timeframe);
      if (!window || !known) return undefined;
      // A strategy of a few days has the same figures over a month and over a year.
      found.push([segment, ...found].find((one) => isEqual(one, known)) ?? known);
      const length = TIMEFRAME_LENGTHS[timeframe];
      until = Math.min(until, unchangedUntil(window, now - length, recent) + length);
    }
    const next = { timeframes: overEach(timeframes, (_, index) => found[index]), segment };
    const performance =
      before && isSamePerformance(next, before.performance) ? before.performance : next;
    const others = this.answers.filter((answer) => answer !== before);
    this.answers = [...others, { timeframes, since: now, until, value, performance }];
    return performance;
  }
}

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
