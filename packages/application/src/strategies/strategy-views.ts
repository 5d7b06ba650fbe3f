import {
  type Ranks,
  type Strategy,
  NO_RANKS,
  type ValueBucket,
  decimal,
  mergeBuckets,
  TIMEFRAMES,
  type Timeframe,
  type TimeframeFigures,
  type StrategyView,
} from '@slipstream/domain';
import type { ReadStores } from '@slipstream/ports';
import type { Core } from '../core.js';
import type { PerformanceOver } from '../performance/known-history.js';

const place = (rank: number | null): TimeframeFigures['rankTop'] =>
  rank === null ? null : decimal(String(rank));

/** A strategy that has since become private or ended has no ranks. */
const ranksOf = ({ ranking }: Pick<Core, 'ranking'>, strategy: Strategy, over: Timeframe): Ranks =>
  strategy.private || strategy.endedAt !== null ? NO_RANKS : ranking.ranksOf(strategy.id, over);

/** Each timeframe as a list of one. The same list each time, because it is the cache key of performances. */
const ALONE = Object.fromEntries(
  TIMEFRAMES.map((timeframe) => [timeframe, [timeframe]]),
) as unknown as Readonly<Record<Timeframe, readonly Timeframe[]>>;

/** Strategies with their past value, drawdown and ranks; a strategy's view stays the same object until it changes. */
export async function viewStrategies(
  core: Pick<Core, 'clock' | 'live' | 'performances' | 'ranking'>,
  stores: ReadStores,
  strategies: readonly Strategy[],
  timeframe?: Timeframe,
): Promise<StrategyView[]> {
  const now = core.clock.now();
  const asked = timeframe ? ALONE[timeframe] : TIMEFRAMES;
  const counts = await stores.subscriptions.countSubscribers(strategies.map(({ id }) => id));
  const valued = strategies.map(({ id: strategyId }) => ({
    strategyId,
    value: core.live.valueOf(strategyId, now),
  }));
  const found = await core.performances.of(stores, valued, asked, now);
  return strategies.map((strategy, index) =>
    viewOf(core, strategy, counts.get(strategy.id) ?? 0, found[index] as PerformanceOver),
  );
}

/** The last view that was made of a performance. */
const shown = new WeakMap<
  PerformanceOver,
  { readonly tables: Core['ranking']['tables']; readonly view: StrategyView }
>();

function viewOf(
  core: Pick<Core, 'ranking'>,
  strategy: Strategy,
  subscriberCount: number,
  performance: PerformanceOver,
): StrategyView {
  const { tables } = core.ranking;
  const before = shown.get(performance);
  const isSame =
    before?.tables === tables &&
    before.view.strategy === strategy &&
    before.view.subscriberCount === subscriberCount;
  if (isSame) return before.view;
  const timeframes = [...performance].map(
    ([over, { pastValue, maxDrawdown }]): TimeframeFigures => {
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
    },
  );
  const view = { strategy, subscriberCount, timeframes };
  shown.set(performance, { tables, view });
  return view;
}

/** Owners' views. Each stays the same object as long as the public view does. */
const owned = new WeakMap<StrategyView, StrategyView>();

/** The view with the fields that only the owner sees. */
export function forOwner(view: StrategyView): StrategyView {
  const before = owned.get(view);
  if (before) return before;
  const shownToOwner = { ...view, invitedUserIds: view.strategy.invitedUserIds };
  owned.set(view, shownToOwner);
  return shownToOwner;
}

/** At most `limit` buckets over the same span, neighbours merged evenly. */
export function downsample(buckets: readonly ValueBucket[], limit: number): ValueBucket[] {
  const size = Math.ceil(buckets.length / limit);
  if (size <= 1) return [...buckets];
  const groups = Array.from({ length: Math.ceil(buckets.length / size) }, (_, index) =>
    buckets.slice(index * size, (index + 1) * size),
  );
  return groups.map((group) => group.reduce((earlier, later) => mergeBuckets(earlier, later)));
}
