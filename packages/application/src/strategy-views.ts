import {
  type Ranks,
  type Strategy,
  NO_RANKS,
  type ValueBucket,
  decimal,
  mergeBuckets,
} from '@slipstream/domain';
import type { ReadStores } from '@slipstream/ports';
import type { Core } from './core.js';
import { type StrategyView, TIMEFRAMES, type Timeframe, type TimeframeView } from './views.js';

const place = (rank: number | null): TimeframeView['rankTop'] =>
  rank === null ? null : decimal(String(rank));

/** One that has become private since has no ranks any more. */
const ranksOf = ({ ranking }: Pick<Core, 'ranking'>, strategy: Strategy, over: Timeframe): Ranks =>
  strategy.private ? NO_RANKS : ranking.ranksOf(strategy.id, over);

/** Strategies with their past value, drawdown and ranks over all timeframes, or the one asked for. */
export async function viewStrategies(
  core: Pick<Core, 'clock' | 'floor' | 'performances' | 'ranking'>,
  stores: ReadStores,
  strategies: readonly Strategy[],
  timeframe?: Timeframe,
): Promise<StrategyView[]> {
  const now = core.clock.now();
  const asked = timeframe ? [timeframe] : TIMEFRAMES;
  const counts = await stores.subscriptions.countSubscribers(strategies.map(({ id }) => id));
  const views: StrategyView[] = [];
  for (const strategy of strategies) {
    const value = core.floor.valueOf(strategy.id, now);
    const performance = await core.performances.of(stores, strategy.id, asked, now, value);
    const timeframes = [...performance].map(([over, { pastValue, maxDrawdown }]): TimeframeView => {
      const ranks = ranksOf(core, strategy, over);
      return {
        timeframe: over,
        rankPerformance: place(ranks.performance),
        rankPopular: place(ranks.popular),
        rankTrending: place(ranks.trending),
        rankTop: place(ranks.top),
        maxDrawdown,
        pastValue,
      };
    });
    views.push({ strategy, subscriberCount: counts.get(strategy.id) ?? 0, timeframes });
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
