import {
  type Strategy,
  TIMEFRAME_LENGTHS,
  type ValueBucket,
  maxDrawdown,
  mergeBuckets,
  pastValue,
} from '@slipstream/domain';
import type { ReadStores } from '@slipstream/ports';
import type { Core } from './core.js';
import { type StrategyView, TIMEFRAMES, type Timeframe, type TimeframeView } from './views.js';

/** Strategies with their past value and drawdown over all timeframes, or the one asked for. Ranks are null: none are computed yet. */
export async function viewStrategies(
  { clock, floor }: Pick<Core, 'clock' | 'floor'>,
  stores: ReadStores,
  strategies: readonly Strategy[],
  timeframe?: Timeframe,
): Promise<StrategyView[]> {
  const now = clock.now();
  const asked = timeframe ? [timeframe] : TIMEFRAMES;
  const longest = Math.max(...asked.map((one) => TIMEFRAME_LENGTHS[one]));
  const counts = await stores.subscriptions.countSubscribers(strategies.map(({ id }) => id));
  const views: StrategyView[] = [];
  for (const strategy of strategies) {
    const buckets = await stores.valueHistory.list(strategy.id, now - longest);
    const value = floor.valueOf(strategy.id, now);
    const over = (one: Timeframe): TimeframeView => ({
      timeframe: one,
      rankPerformance: null,
      rankPopular: null,
      rankTrending: null,
      rankTop: null,
      maxDrawdown: maxDrawdown(buckets, now - TIMEFRAME_LENGTHS[one], value),
      pastValue: pastValue(buckets, now - TIMEFRAME_LENGTHS[one]),
    });
    views.push({
      strategy,
      subscriberCount: counts.get(strategy.id) ?? 0,
      timeframes: asked.map(over),
    });
  }
  return views;
}

/** At most `limit` buckets over the same span, neighbours merged evenly. */
export function thin(buckets: readonly ValueBucket[], limit: number): ValueBucket[] {
  const size = Math.ceil(buckets.length / limit);
  if (size <= 1) return [...buckets];
  const groups = Array.from({ length: Math.ceil(buckets.length / size) }, (_, index) =>
    buckets.slice(index * size, (index + 1) * size),
  );
  return groups.map((group) => group.reduce((earlier, later) => mergeBuckets(earlier, later)));
}
