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
} from '@slipstream/domain';
import type { ReadStores } from '@slipstream/ports';
import type { Timeframe } from '../views.js';

/** A bucket that ended this long ago is not written any more. */
const SEALED_AFTER = 300_000;
/** What nobody asked for this long is read anew: older buckets merge meanwhile. */
const KEPT_FOR = 12 * 3_600_000;

/** A strategy's windows. All buckets that ended at or before `through` are in them; later ones are read every time. */
interface Kept {
  readonly through: Timestamp;
  readonly at: Timestamp;
  readonly windows: ReadonlyMap<Timeframe, ValueWindow>;
}

const endOf = (bucket: ValueBucket): Timestamp => bucket.start + bucket.length;

/**
 * Past values and drawdowns of strategies, kept so that asking again reads a few buckets and not five years of them.
 * What the stores say counts: a fill is in the next answer.
 */
export class Performances {
  private readonly kept = new Map<StrategyId, Kept>();

  /** Over each timeframe, as of `now` with the value now (null while unavailable). */
  async of(
    { valueHistory }: Pick<ReadStores, 'valueHistory'>,
    strategyId: StrategyId,
    timeframes: readonly Timeframe[],
    now: Timestamp,
    value: Decimal | null,
  ): Promise<ReadonlyMap<Timeframe, Performance>> {
    const before = this.usable(strategyId, now);
    const through = Math.max(before?.through ?? 0, now - SEALED_AFTER);
    const since = before?.through ?? through;
    const later = (await valueHistory.list(strategyId, since)).filter(
      (bucket) => endOf(bucket) > since,
    );
    const recent = later.filter((bucket) => endOf(bucket) > through);
    const windows = new Map(before?.windows);
    for (const bucket of later) {
      if (endOf(bucket) > through) continue;
      for (const [timeframe, window] of windows) windows.set(timeframe, withBucket(window, bucket));
    }

    const found = new Map<Timeframe, Performance>();
    let all: readonly ValueBucket[] | undefined;
    const longest = Math.max(...timeframes.map((timeframe) => TIMEFRAME_LENGTHS[timeframe]));
    for (const timeframe of timeframes) {
      const from = now - TIMEFRAME_LENGTHS[timeframe];
      const window = windows.get(timeframe);
      const known = window && performanceOf(window, from, recent, value);
      if (known) {
        found.set(timeframe, known);
        continue;
      }
      all ??= await valueHistory.list(strategyId, now - longest);
      const sealed = all.filter((bucket) => endOf(bucket) <= through);
      windows.set(timeframe, valueWindow(sealed, from));
      found.set(timeframe, {
        pastValue: pastValue(all, from),
        maxDrawdown: maxDrawdown(all, from, value),
      });
    }
    this.kept.set(strategyId, { through, at: now, windows });
    return found;
  }

  /** What is kept, unless it is too old or of a later time than `now`. */
  private usable(strategyId: StrategyId, now: Timestamp): Kept | undefined {
    const kept = this.kept.get(strategyId);
    return kept && now >= kept.at && now - kept.at < KEPT_FOR ? kept : undefined;
  }
}
