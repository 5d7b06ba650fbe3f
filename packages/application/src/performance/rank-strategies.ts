import {
  RANK_KINDS,
  type Ranks,
  type Scored,
  type Strategy,
  type StrategyId,
  TIMEFRAME_LENGTHS,
  type Timestamp,
  isRanked,
  byPlace,
  contendersOf,
  scoresOf,
  TIMEFRAMES,
  type Timeframe,
} from '@slipstream/domain';
import type { UnitOfWork } from '@slipstream/ports';
import type { Core } from '../core.js';
import type { Candidate, Table } from './ranking.js';
import { sortInTurns } from './sort-in-turns.js';

const EVERY = 60_000;
/** The number of strategies whose subscribers are counted in one transaction. */
const CHUNK = 10;
/** Milliseconds of work after which other tasks run. */
const TURN = 5;

interface Needs extends Pick<Core, 'clock' | 'pause' | 'live' | 'performances' | 'ranking'> {
  readonly unitOfWork: Pick<UnitOfWork, 'run' | 'read'>;
}
type Standings = ReadonlyMap<Timeframe, Scored[]>;

/** Computes the ranks once a minute (contract 3, "Ranks"), in short turns between other work. */
export function rankStrategies(core: Needs): () => Promise<void> {
  const { unitOfWork, clock, pause, live, performances, ranking } = core;
  let rankedAt = -Infinity;

  let turnBegan = clock.now();
  const breathe = async (): Promise<void> => {
    if (clock.now() - turnBegan < TURN) return;
    await pause();
    turnBegan = clock.now();
  };

  const ranked = (strategyIds: readonly StrategyId[], now: Timestamp): Promise<Strategy[]> =>
    unitOfWork.read(async (stores) =>
      (await stores.strategies.list(strategyIds)).filter(
        (strategy) =>
          strategy.deletedAt === null &&
          strategy.endedAt === null &&
          !strategy.private &&
          isRanked(strategy.createdAt, now),
      ),
    );

  const countsOf = (strategyIds: readonly StrategyId[], now: Timestamp) =>
    unitOfWork.read(async ({ subscriptions }) => {
      const gained = new Map<Timeframe, ReadonlyMap<StrategyId, number>>();
      for (const timeframe of TIMEFRAMES) {
        const since = now - TIMEFRAME_LENGTHS[timeframe];
        gained.set(timeframe, await subscriptions.countGained(strategyIds, since));
      }
      return { subscribers: await subscriptions.countSubscribers(strategyIds), gained };
    });

  const addChunk = async (strategies: readonly Strategy[], into: Standings): Promise<void> => {
    const now = clock.now();
    const counts = await countsOf(
      strategies.map(({ id }) => id),
      now,
    );
    await breathe();
    for (const { id: strategyId, createdAt } of strategies) {
      const value = live.valueOf(strategyId, now);
      const { over, tradedAt } = await unitOfWork.read(async (stores) => ({
        over: (await performances.of(stores, [{ strategyId, value }], TIMEFRAMES, now))[0] ?? [],
        tradedAt: (await stores.trades.list(strategyId, { limit: 1 }))[0]?.createdAt,
      }));
      for (const [timeframe, performance] of over) {
        const standing = {
          strategyId,
          createdAt,
          ...performance,
          value,
          subscribers: counts.subscribers.get(strategyId) ?? 0,
          gained: counts.gained.get(timeframe)?.get(strategyId) ?? 0,
          traded: tradedAt !== undefined && tradedAt > now - TIMEFRAME_LENGTHS[timeframe],
        };
        into.get(timeframe)?.push({ strategyId, createdAt, scores: scoresOf(standing, now) });
      }
      await breathe();
    }
  };

  const tableOf = async (
    standings: readonly Scored[],
    categories: ReadonlyMap<StrategyId, readonly string[]>,
  ): Promise<Table> => {
    const found: Partial<Record<keyof Ranks, ReadonlyMap<StrategyId, number>>> = {};
    for (const kind of RANK_KINDS) {
      const contenders = contendersOf(kind, standings);
      await breathe();
      const sorted = await sortInTurns(contenders, byPlace, breathe);
      found[kind] = new Map(sorted.map(({ strategy }, index) => [strategy.strategyId, index + 1]));
      await breathe();
    }
    const places = found as Table['places'];
    const aged = await sortInTurns(standings, byCreation, breathe);
    return { places, candidates: await recommended(places, aged, categories, breathe) };
  };

  return async () => {
    const now = clock.now();
    if (now - rankedAt < EVERY) return;
    turnBegan = now;
    const standings: Standings = new Map(TIMEFRAMES.map((timeframe) => [timeframe, []]));
    const categories = new Map<StrategyId, readonly string[]>();
    const all = live.strategies();
    for (let at = 0; at < all.length; at += CHUNK) {
      const strategies = await ranked(all.slice(at, at + CHUNK), now);
      for (const { id, categories: labels } of strategies) {
        categories.set(
          id,
          labels.map((label) => label.toLowerCase()),
        );
      }
      if (strategies.length > 0) await addChunk(strategies, standings);
      await breathe();
    }
    const tables = new Map<Timeframe, Table>();
    for (const [timeframe, list] of standings) {
      tables.set(timeframe, await tableOf(list, categories));
      await breathe();
    }
    ranking.replace(tables);
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
