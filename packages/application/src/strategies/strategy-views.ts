import {
  type Decimal,
  type Performance,
  type Ranks,
  type SegmentView,
  type Strategy,
  type StrategyId,
  NO_RANKS,
  ZERO,
  baselineOf,
  basisOfKind,
  currentSegment,
  daysSince,
  decimal,
  earlierDrawdown,
  overEach,
  percentChange,
  TIMEFRAMES,
  shownOwnerTrades,
  type Timestamp,
  type Timeframe,
  type UserId,
  type TimeframeFigures,
  type StrategyView,
} from '@slipstream/domain';
import type { ReadStores } from '@slipstream/ports';
import type { Core } from '../core.js';
import type { PerformanceOver } from '../performance/known-history.js';

const place = (rank: number | null): TimeframeFigures['rankTop'] =>
  rank === null ? null : decimal(String(rank));

/** A strategy that has since become private or ended, or whose segment has no value yet, has no ranks. */
const ranksOf = ({ ranking }: Pick<Core, 'ranking'>, strategy: Strategy, over: Timeframe): Ranks =>
  strategy.private || strategy.endedAt !== null || strategy.segmentOpening
    ? NO_RANKS
    : ranking.ranksOf(strategy.id, over);

/** Each timeframe as a list of one. The same list each time, because it is the cache key of performances. */
const ALONE = Object.fromEntries(
  TIMEFRAMES.map((timeframe) => [timeframe, [timeframe]]),
) as unknown as Readonly<Record<Timeframe, readonly Timeframe[]>>;

/** What a view is made of. */
export type ViewCore = Pick<Core, 'clock' | 'performances' | 'ranking'> & {
  readonly live: Pick<Core['live'], 'valueOf'>;
};

/** Strategies with their past value, drawdown and ranks; a strategy's view stays the same object until it changes. */
export async function viewStrategies(
  core: ViewCore,
  stores: ReadStores,
  strategies: readonly Strategy[],
  timeframe?: Timeframe,
): Promise<StrategyView[]> {
  const now = core.clock.now();
  const asked = timeframe ? ALONE[timeframe] : TIMEFRAMES;
  const counts = await stores.subscriptions.countSubscribers(strategies.map(({ id }) => id));
  const names = await stores.users.names(strategies.map(({ userId }) => userId));
  const values = new Map(strategies.map(({ id }) => [id, core.live.valueOf(id, now)]));
  const valued = strategies.flatMap((strategy) => {
    const baseline = baselineOf(strategy);
    const value = values.get(strategy.id) ?? null;
    return baseline ? [{ strategyId: strategy.id, value, baseline }] : [];
  });
  const found = await core.performances.of(stores, valued, asked, now);
  const performances = new Map(valued.map(({ strategyId }, index) => [strategyId, found[index]]));
  return strategies.map((strategy) => {
    const value = values.get(strategy.id) ?? null;
    const performance = performances.get(strategy.id) ?? withoutSegment(strategy, value, asked);
    return viewOf(core, strategy, { now, value, names, counts, performance });
  });
}

/** While a segment has no first value, nothing has changed in it: every timeframe begins with the present value. */
function withoutSegment(
  { segments }: Strategy,
  value: Decimal | null,
  timeframes: readonly Timeframe[],
): PerformanceOver {
  const last = segments.at(-1) ?? segments[0];
  const segment = { pastValue: value ?? last.end?.value ?? last.startValue, maxDrawdown: ZERO };
  return { timeframes: overEach(timeframes, () => segment), segment };
}

/** The figures of the segment that goes on are the present ones; those of the others were kept when they ended. */
const viewSegments = (
  { segments }: Strategy,
  value: Decimal | null,
  performance: PerformanceOver,
): SegmentView[] =>
  segments.map(({ kind, reason, startedAt, startValue, jump, end }, index) => {
    const last = end ? end.value : value;
    return {
      start: startedAt,
      end: end && end.at,
      basis: basisOfKind(kind),
      reason,
      startValue,
      jump,
      return: last && startValue.gt(ZERO) ? percentChange(startValue, last) : null,
      maxDrawdown: end ? end.maxDrawdown : performance.segment.maxDrawdown,
      earlierMaxDrawdown: earlierDrawdown(segments, index),
    };
  });

/** The last view that was made of a performance. */
const shown = new WeakMap<
  PerformanceOver,
  { readonly tables: Core['ranking']['tables']; readonly view: StrategyView }
>();

interface Figures {
  readonly now: Timestamp;
  readonly value: Decimal | null;
  readonly names: ReadonlyMap<UserId, string>;
  readonly counts: ReadonlyMap<StrategyId, number>;
  readonly performance: PerformanceOver;
}

function viewOf(
  core: Pick<Core, 'ranking'>,
  strategy: Strategy,
  { now, value, names, counts, performance }: Figures,
): StrategyView {
  const { tables } = core.ranking;
  const subscriberCount = counts.get(strategy.id) ?? 0;
  const ownerTrades = shownOwnerTrades(strategy, now);
  const ageDays = daysSince(currentSegment(strategy)?.startedAt ?? null, now);
  const ownerName = names.get(strategy.userId) ?? null;
  const before = shown.get(performance);
  const isSame =
    before?.tables === tables &&
    before.view.value === value &&
    before.view.ageDays === ageDays &&
    before.view.ownerName === ownerName &&
    before.view.strategy === strategy &&
    before.view.subscriberCount === subscriberCount &&
    before.view.ownerTrades === ownerTrades;
  if (isSame) return before.view;
  const timeframes = (Object.entries(performance.timeframes) as [Timeframe, Performance][]).map(
    ([over, figures]): TimeframeFigures => {
      const ranks = ranksOf(core, strategy, over);
      return {
        timeframe: over,
        rankPerformance: place(ranks.performance),
        rankPopular: place(ranks.popular),
        rankTrending: place(ranks.trending),
        rankTop: place(ranks.top),
        maxDrawdown: figures.maxDrawdown,
        pastValue: figures.pastValue,
        return: figures.pastValue.gt(ZERO) ? percentChange(figures.pastValue, value) : null,
      };
    },
  );
  const segments = viewSegments(strategy, value, performance);
  // oxfmt-ignore
  const view = {
    strategy, ownerName, value, ageDays,
    subscriberCount, timeframes, segments, ownerTrades,
  };
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
