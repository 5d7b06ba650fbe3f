import {
  BASES,
  type Basis,
  type Listing,
  RANK_KINDS,
  type Ranks,
  type Scored,
  type Strategy,
  type StrategyId,
  TIMEFRAME_LENGTHS,
  type Timestamp,
  baselineOf,
  currentSegment,
  isRanked,
  listedFigures,
  listingOf,
  byPlace,
  contendersOf,
  kindNow,
  poolOf,
  segmentKind,
  scoresOf,
  TIMEFRAMES,
  type Timeframe,
} from '@slipstream/domain';
import type { UnitOfWork } from '@slipstream/ports';
import type { Core } from '../core.js';
import { breathing } from './breathing.js';
import type { Candidate, Table } from './ranking.js';
import { sortInTurns } from './sort-in-turns.js';

const EVERY = 60_000;
/** The number of strategies whose subscribers are counted in one transaction. */
const CHUNK = 10;

interface Needs extends Pick<
  Core,
  'clock' | 'pause' | 'live' | 'performances' | 'ranking' | 'catalogue' | 'settings'
> {
  readonly unitOfWork: Pick<UnitOfWork, 'run' | 'read'>;
}
/** A strategy with its scores and the pool in which it ranks. */
interface Pooled extends Scored {
  readonly pool: Basis;
}

type Standings = ReadonlyMap<Timeframe, Pooled[]>;

/** When the segment started that the figures are of; undefined while there is none. */
const sinceOf = (strategy: Strategy): Timestamp | undefined => currentSegment(strategy)?.startedAt;

/**
 * Computes the ranks once a minute (contract 3, "Ranks"), in short turns between other work. Strategies rank within the pool of
 * their prices: simulated ones never beside real ones (contract 8).
 */
export function rankStrategies(core: Needs): () => Promise<void> {
  const { unitOfWork, clock, live, performances, ranking, catalogue } = core;
  const { pushTrusted } = core.settings;
  const ownPool = poolOf(segmentKind(live.marketKind), pushTrusted);
  let rankedAt = -Infinity;

  const breathe = breathing(core);

  const listed = (strategyIds: readonly StrategyId[]): Promise<Strategy[]> =>
    unitOfWork.read(async (stores) =>
      (await stores.strategies.list(strategyIds)).filter(
        (strategy) => strategy.deletedAt === null && strategy.endedAt === null && !strategy.private,
      ),
    );

  const countsOf = (strategies: readonly Strategy[], now: Timestamp) =>
    unitOfWork.read(async ({ subscriptions }) => {
      const strategyIds = strategies.map(({ id }) => id);
      // Only a later segment can start after a strategy's first subscribers.
      const later = strategies.filter(({ segments }) => segments.length > 1);
      const gained = new Map<Timeframe, Map<StrategyId, number>>();
      for (const timeframe of TIMEFRAMES) {
        const from = now - TIMEFRAME_LENGTHS[timeframe];
        const counts = new Map(await subscriptions.countGained(strategyIds, from));
        for (const strategy of later) {
          const since = sinceOf(strategy) ?? now;
          if (since <= from) continue;
          const own = await subscriptions.countGained([strategy.id], since);
          counts.set(strategy.id, own.get(strategy.id) ?? 0);
        }
        gained.set(timeframe, counts);
      }
      return { subscribers: await subscriptions.countSubscribers(strategyIds), gained };
    });

  const addChunk = async (
    strategies: readonly Strategy[],
    into: Standings,
    listings: Map<StrategyId, Listing>,
  ): Promise<void> => {
    const now = clock.now();
    const counts = await countsOf(strategies, now);
    await breathe();
    for (const strategy of strategies) {
      const { id: strategyId, createdAt } = strategy;
      const [baseline, since] = [baselineOf(strategy), sinceOf(strategy)];
      const followers = counts.subscribers.get(strategyId) ?? 0;
      if (!baseline || since === undefined) {
        listings.set(strategyId, listingOf(strategy, { figures: new Map(), followers }));
        continue;
      }
      const value = live.valueOf(strategyId, now);
      const valued = [{ strategyId, value, baseline }];
      const { over, tradedAt } = await unitOfWork.read(async (stores) => ({
        over: (await performances.of(stores, valued, TIMEFRAMES, now))[0],
        tradedAt: (await stores.trades.list(strategyId, { limit: 1 }))[0]?.createdAt,
      }));
      const figures = new Map(
        [...(over?.timeframes ?? [])].map(([timeframe, performance]) => [
          timeframe,
          listedFigures(performance, value),
        ]),
      );
      listings.set(strategyId, listingOf(strategy, { figures, followers }));
      if (!isRanked(since, now)) continue;
      const pool = poolOf(kindNow(strategy), pushTrusted);
      for (const [timeframe, performance] of over?.timeframes ?? []) {
        const from = now - TIMEFRAME_LENGTHS[timeframe];
        const standing = {
          strategyId,
          since,
          ...performance,
          value,
          subscribers: followers,
          gained: counts.gained.get(timeframe)?.get(strategyId) ?? 0,
          traded: tradedAt !== undefined && tradedAt > from && tradedAt >= since,
        };
        const scores = scoresOf(standing, now);
        into.get(timeframe)?.push({ strategyId, createdAt, scores, pool });
      }
      await breathe();
    }
  };

  const tableOf = async (
    standings: readonly Pooled[],
    categories: ReadonlyMap<StrategyId, readonly string[]>,
  ): Promise<Table> => {
    const places: Record<keyof Ranks, Map<StrategyId, number>> = {
      performance: new Map(),
      popular: new Map(),
      trending: new Map(),
      top: new Map(),
    };
    const own = standings.filter(({ pool }) => pool === ownPool);
    const others = BASES.filter((pool) => pool !== ownPool).map((pool) =>
      standings.filter((one) => one.pool === pool),
    );
    for (const members of [own, ...others]) {
      for (const kind of RANK_KINDS) {
        const contenders = contendersOf(kind, members);
        await breathe();
        const sorted = await sortInTurns(contenders, byPlace, breathe);
        for (const [index, { strategy }] of sorted.entries())
          places[kind].set(strategy.strategyId, index + 1);
        await breathe();
      }
    }
    const aged = await sortInTurns(own, byCreation, breathe);
    const listed = new Set(own.map(({ strategyId }) => strategyId));
    const inOrder = await recommended(places, aged, categories, breathe);
    return { places, candidates: inOrder.filter(({ strategyId }) => listed.has(strategyId)) };
  };

  return async () => {
    const now = clock.now();
    if (now - rankedAt < EVERY) return;
    const standings: Standings = new Map(TIMEFRAMES.map((timeframe) => [timeframe, []]));
    const categories = new Map<StrategyId, readonly string[]>();
    const listings = new Map<StrategyId, Listing>();
    catalogue.begin();
    const all = live.strategies();
    for (let at = 0; at < all.length; at += CHUNK) {
      const strategies = await listed(all.slice(at, at + CHUNK));
      for (const { id, categories: labels } of strategies) {
        categories.set(
          id,
          labels.map((label) => label.toLowerCase()),
        );
      }
      if (strategies.length > 0) await addChunk(strategies, standings, listings);
      await breathe();
    }
    const tables = new Map<Timeframe, Table>();
    for (const [timeframe, list] of standings) {
      tables.set(timeframe, await tableOf(list, categories));
      await breathe();
    }
    ranking.replace(tables);
    catalogue.replace(listings);
    rankedAt = now;
  };
}

const byCreation = (first: Scored, second: Scored): number => first.createdAt - second.createdAt;

/** The number of strategies handled between two pauses. */
const PIECE = 500;

/** Every ranked strategy once: by rank_top, then those without it by rank_performance, then the others by age. */
async function recommended(
  { top, performance }: Table['places'],
  aged: readonly Scored[],
  categories: ReadonlyMap<StrategyId, readonly string[]>,
  breathe: () => Promise<void>,
): Promise<Candidate[]> {
  const found = new Map<StrategyId, Candidate>();
  let looked = 0;
  const add = async (strategyIds: Iterable<StrategyId>): Promise<void> => {
    for (const strategyId of strategyIds) {
      if (!found.has(strategyId))
        found.set(strategyId, { strategyId, categories: categories.get(strategyId) ?? [] });
      looked += 1;
      if (looked % PIECE === 0) await breathe();
    }
  };
  await add(top.keys());
  await add(performance.keys());
  await add(aged.map(({ strategyId }) => strategyId));
  return [...found.values()];
}
