import {
  type Baseline,
  type Decimal,
  type Performance,
  type StrategyId,
  type Timestamp,
  type ValueBucket,
  type ValueWindow,
  maxDrawdown,
  pastValue,
  overEach,
  performanceOf,
  valueWindows,
  withBucket,
  type Timeframe,
} from '@slipstream/domain';
import type { ReadStores } from '@slipstream/ports';
import { KnownHistory, type PerformanceOver, type Reach, startOf } from './known-history.js';

/** A bucket that ended this many milliseconds ago is never written again. */
const SEALED_AFTER = 300_000;
/** An older history is read again as a whole, because its buckets merge with age. */
const KEPT_FOR = 12 * 3_600_000;

const endOf = (bucket: ValueBucket): Timestamp => bucket.start + bucket.length;

/** A strategy whose performance is asked for, with its present value (null while unavailable) and its segment. */
export interface Valued {
  readonly strategyId: StrategyId;
  readonly value: Decimal | null;
  readonly baseline: Baseline;
}

/**
 * Caches past values and drawdowns of strategies. A cached history is valid while the stored last bucket is the same as when
 * the history was read. Every call compares it with the stores, so a fill shows in the next result.
 */
export class PerformanceCache {
  private readonly kept = new Map<StrategyId, KnownHistory>();

  /** Until when time alone does not change the last answer over these timeframes. */
  heldUntil(strategyId: StrategyId, timeframes: readonly Timeframe[]): Timestamp {
    return this.kept.get(strategyId)?.heldUntil(timeframes) ?? -Infinity;
  }

  /** The performance of each strategy over the timeframes at `now`, in the given order. */
  async of(
    { valueHistory }: Pick<ReadStores, 'valueHistory'>,
    strategies: readonly Valued[],
    timeframes: readonly Timeframe[],
    now: Timestamp,
  ): Promise<PerformanceOver[]> {
    const lasts = await valueHistory.lastOfEach(strategies.map(({ strategyId }) => strategyId));
    const found: PerformanceOver[] = [];
    for (const [index, { strategyId, value, baseline }] of strategies.entries()) {
      const kept = this.kept.get(strategyId);
      const before = kept?.read.baseline.since === baseline.since ? kept : undefined;
      const last = lasts[index];
      const known = before && isSameBucket(before.read.last, last) ? before : undefined;
      const same = known?.performance(timeframes, now, value);
      if (same) {
        found.push(same);
        continue;
      }
      const { history, all } = await load(valueHistory, {
        strategyId,
        timeframes,
        now,
        before: before?.read,
        last,
        baseline,
      });
      this.kept.set(strategyId, history);
      const performance = history.performance(timeframes, now, value);
      found.push(performance ?? exactly(await all(), { timeframes, now, value, baseline }));
    }
    return found;
  }
}

/** Whether nothing was added to the history since: each sample changes its last bucket, or starts another one. */
const isSameBucket = (one: ValueBucket | undefined, other: ValueBucket | undefined): boolean =>
  one === other ||
  (one !== undefined &&
    other !== undefined &&
    one.start === other.start &&
    one.length === other.length &&
    one.lastAt === other.lastAt &&
    one.last.eq(other.last) &&
    one.high.eq(other.high) &&
    one.low.eq(other.low) &&
    one.drawdown.eq(other.drawdown));

interface Asked {
  readonly strategyId: StrategyId;
  readonly timeframes: readonly Timeframe[];
  readonly now: Timestamp;
  /** The history of the segment known so far. */
  readonly before: KnownHistory['read'] | undefined;
  readonly baseline: Baseline;
  /** The present last bucket. */
  readonly last: ValueBucket | undefined;
}

/** Reads a history. If the windows of `before` can be continued, it reads only newer buckets. `all` reads every bucket. */
async function load(
  valueHistory: ReadStores['valueHistory'],
  { strategyId, timeframes, now, before, last, baseline }: Asked,
) {
  const base = before && now >= before.at && now - before.at < KEPT_FOR ? before : undefined;
  const through = Math.max(base?.through ?? 0, now - SEALED_AFTER);
  const isSealed = (bucket: ValueBucket): boolean => endOf(bucket) <= through;
  const since = base?.through ?? through;
  const list = async (from: Timestamp) =>
    (await valueHistory.list(strategyId, from)).filter(({ start }) => start >= baseline.since);
  const later = (await list(since)).filter((bucket) => endOf(bucket) > since);
  const recent = later.filter((bucket) => !isSealed(bucket));
  const newlySealed = later.filter(isSealed);
  const windows: { [Of in Reach]?: ValueWindow } = { ...base?.windows };
  for (const [reach, window] of Object.entries(windows) as [Reach, ValueWindow][])
    windows[reach] = newlySealed.reduce(withBucket, window);

  let buckets: readonly ValueBucket[] | undefined;
  const all = async () => (buckets ??= await list(baseline.since));
  let windowFrom: ReturnType<typeof valueWindows> | undefined;
  for (const reach of [...timeframes, 'segment'] as const) {
    const from = startOf(reach, now);
    const window = windows[reach];
    if (window && performanceOf(window, from, recent, null)) continue;
    if (!windowFrom) {
      const sealed = (await all()).filter(isSealed);
      // Five years of buckets take a millisecond or two. This call of a store lets other work run before.
      await valueHistory.last(strategyId);
      windowFrom = valueWindows(sealed, baseline.value);
    }
    windows[reach] = windowFrom(from);
  }
  const read = { last, at: now, through, baseline, windows, recent };
  return { history: new KnownHistory(read), all };
}

/** Computes from all buckets of the segment. Needed if a change of the clock made a bucket too long for a window. */
function exactly(
  buckets: readonly ValueBucket[],
  {
    timeframes,
    now,
    value,
    baseline,
  }: Pick<Asked, 'timeframes' | 'now' | 'baseline'> & Pick<Valued, 'value'>,
): PerformanceOver {
  const over = (reach: Reach): Performance => {
    const from = startOf(reach, now);
    return {
      pastValue: pastValue(buckets, from, baseline.value),
      maxDrawdown: maxDrawdown(buckets, from, value, baseline.value),
    };
  };
  return {
    timeframes: overEach(timeframes, over),
    segment: over('segment'),
  };
}
