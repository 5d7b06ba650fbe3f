import {
  type Decimal,
  type Performance,
  type StrategyId,
  TIMEFRAME_LENGTHS,
  type Timestamp,
  type ValueBucket,
  type ValueWindow,
  maxDrawdown,
  pastValue,
  performanceOf,
  valueWindow,
  withBucket,
  type Timeframe,
} from '@slipstream/domain';
import type { ReadStores } from '@slipstream/ports';
import { type PerformanceOver, KnownHistory } from './known-history.js';

/** A bucket that ended this many milliseconds ago is never written again. */
const SEALED_AFTER = 300_000;
/** An older history is read again as a whole, because its buckets merge with age. */
const KEPT_FOR = 12 * 3_600_000;

const endOf = (bucket: ValueBucket): Timestamp => bucket.start + bucket.length;

/**
 * Caches past values and drawdowns of strategies. A cached history is valid while the stored last bucket is the same as when
 * the history was read. Every call compares it with the stores, so a fill shows in the next result.
 */
export class PerformanceCache {
  private readonly kept = new Map<StrategyId, KnownHistory>();

  /** The performance of each strategy over the timeframes at `now`, in the given order. `value` is the present one, null while unavailable. */
  async of(
    { valueHistory }: Pick<ReadStores, 'valueHistory'>,
    strategies: readonly { readonly strategyId: StrategyId; readonly value: Decimal | null }[],
    timeframes: readonly Timeframe[],
    now: Timestamp,
  ): Promise<PerformanceOver[]> {
    const lasts = await valueHistory.lastOfEach(strategies.map(({ strategyId }) => strategyId));
    const found: PerformanceOver[] = [];
    for (const [index, { strategyId, value }] of strategies.entries()) {
      const before = this.kept.get(strategyId);
      const last = lasts[index];
      const known = before && isSameBucket(before.last, last) ? before : undefined;
      const same = known?.performance(timeframes, now, value);
      if (same) {
        found.push(same);
        continue;
      }
      const { history, all } = await load(valueHistory, {
        strategyId,
        timeframes,
        now,
        before,
        last,
      });
      this.kept.set(strategyId, history);
      const performance = history.performance(timeframes, now, value);
      found.push(performance ?? exactly(await all(), timeframes, now, value));
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
  /** The history known so far. */
  readonly before: KnownHistory | undefined;
  /** The present last bucket. */
  readonly last: ValueBucket | undefined;
}

/** Reads a history. If the windows of `before` can be continued, it reads only newer buckets. `all` reads every bucket. */
async function load(
  valueHistory: ReadStores['valueHistory'],
  { strategyId, timeframes, now, before, last }: Asked,
) {
  const base = before && now >= before.at && now - before.at < KEPT_FOR ? before : undefined;
  const through = Math.max(base?.through ?? 0, now - SEALED_AFTER);
  const isSealed = (bucket: ValueBucket): boolean => endOf(bucket) <= through;
  const since = base?.through ?? through;
  const later = (await valueHistory.list(strategyId, since)).filter(
    (bucket) => endOf(bucket) > since,
  );
  const recent = later.filter((bucket) => !isSealed(bucket));
  const windows = new Map(
    [...(base?.windows ?? [])].map(([timeframe, window]): [Timeframe, ValueWindow] => [
      timeframe,
      later.filter(isSealed).reduce(withBucket, window),
    ]),
  );

  const longest = Math.max(...timeframes.map((timeframe) => TIMEFRAME_LENGTHS[timeframe]));
  let buckets: readonly ValueBucket[] | undefined;
  const all = async () => (buckets ??= await valueHistory.list(strategyId, now - longest));
  for (const timeframe of timeframes) {
    const from = now - TIMEFRAME_LENGTHS[timeframe];
    const window = windows.get(timeframe);
    if (window && performanceOf(window, from, recent, null)) continue;
    const sealed = (await all()).filter(isSealed);
    // Five years of buckets take a millisecond or two for each timeframe. This call of a store lets other work run in between.
    await valueHistory.last(strategyId);
    windows.set(timeframe, valueWindow(sealed, from));
  }
  return { history: new KnownHistory(last, now, through, windows, recent), all };
}

/** Computes from all buckets. Needed if a change of the clock made a bucket too long for a window. */
const exactly = (
  buckets: readonly ValueBucket[],
  timeframes: readonly Timeframe[],
  now: Timestamp,
  value: Decimal | null,
): PerformanceOver =>
  new Map(
    timeframes.map((timeframe): [Timeframe, Performance] => {
      const from = now - TIMEFRAME_LENGTHS[timeframe];
      return [
        timeframe,
        { pastValue: pastValue(buckets, from), maxDrawdown: maxDrawdown(buckets, from, value) },
      ];
    }),
  );
