import {
  type Listing,
  type StrategyId,
  TIMEFRAMES,
  type Timestamp,
  poolOf,
  segmentKind,
} from '@slipstream/domain';
import type { ReadStores, UnitOfWork } from '@slipstream/ports';
import type { Core } from '../../core.js';
import { breathing } from '../breathing.js';
import { type Contestant, factsOf, withFigures, withoutFigures } from './contestants.js';
import { Standings } from './standings.js';
import { Throttle } from '../../housekeeping/throttle.js';

const EVERY = 60_000;
/** The number of strategies that are read in one transaction: a millisecond or two. */
const CHUNK = 10;
/** The number of strategies whose value is looked at between two pauses. */
const PIECE = 1000;

interface Needs extends Pick<
  Core,
  'clock' | 'pause' | 'live' | 'performances' | 'ranking' | 'rankChanges' | 'catalogue' | 'settings'
> {
  readonly unitOfWork: Pick<UnitOfWork, 'read'>;
}

/**
 * Computes the ranks once a minute (contract 3, "Ranks"), in short turns between other work. Strategies rank within the pool of
 * their prices: simulated ones never beside real ones (contract 8). A strategy is scored again when a commit or a quote changed
 * its figures, or when time did: each figure says until when it holds.
 */
export function rankStrategies(core: Needs): () => Promise<void> {
  const { unitOfWork, clock, live, performances, ranking, rankChanges, catalogue } = core;
  const { pushTrusted } = core.settings;
  const standings = new Standings(poolOf(segmentKind(live.marketKind), pushTrusted));
  const breathe = breathing(core);
  const throttle = new Throttle();
  /** Before the first computation none is known, and after the clock was set back the known ones are of later. */
  let knownSince: Timestamp = Infinity;

  const present = async (stores: ReadStores, facts: Contestant): Promise<Contestant> => {
    const { baseline, listing } = facts;
    if (!baseline || listing.since === null) return facts;
    const now = clock.now();
    const { strategyId } = listing;
    const value = live.valueOf(strategyId, now);
    const valued = { strategyId, value, baseline };
    const found = await performances.glance(stores, valued, TIMEFRAMES, now);
    return withFigures(facts, { now, value, ...found });
  };

  /** Reads the strategies anew. Those that are not public have no ranks. */
  const readRecords = (strategyIds: readonly StrategyId[]): Promise<void> =>
    unitOfWork.read(async (stores) => {
      const found = new Map<StrategyId, Contestant>();
      const now = clock.now();
      const strategies = (await stores.strategies.list(strategyIds)).filter(
        (one) => one.deletedAt === null && one.endedAt === null && !one.private,
      );
      // Together, because a database in another process is then asked once.
      const memberships = await stores.subscriptions.memberships(strategies.map(({ id }) => id));
      const facts = await Promise.all(
        strategies.map((strategy) =>
          factsOf(stores, strategy, {
            memberships: memberships.get(strategy.id) ?? [],
            ...{ now, pushTrusted },
          }),
        ),
      );
      for (const one of facts)
        found.set(one.listing.strategyId, await present(stores, withoutFigures(one)));
      for (const strategyId of strategyIds)
        if (found.has(strategyId) || standings.find(strategyId))
          standings.put(strategyId, found.get(strategyId));
    });

  /** Scores the strategies again, whose records are as they were. */
  const score = (strategyIds: readonly StrategyId[]): Promise<void> =>
    unitOfWork.read(async (stores) => {
      for (const strategyId of strategyIds) {
        const before = standings.find(strategyId);
        if (before) standings.put(strategyId, await present(stores, before));
      }
    });

  /** Takes the strategies out of the set a few at a time; what a commit adds meanwhile stays for the next computation. */
  const inChunks = async (
    changed: Set<StrategyId>,
    handle: (strategyIds: readonly StrategyId[]) => Promise<void>,
  ): Promise<void> => {
    const all = [...changed];
    for (let at = 0; at < all.length; at += CHUNK) {
      const some = all.slice(at, at + CHUNK);
      for (const strategyId of some) changed.delete(strategyId);
      try {
        await handle(some);
      } catch (error) {
        for (const strategyId of some) changed.add(strategyId);
        throw error;
      }
      await breathe();
    }
  };

  /** Adds the strategies whose value is another one, or whose figures held until now. */
  const findMoved = async (now: Timestamp): Promise<void> => {
    for (const [slot, one] of standings.all().entries()) {
      if (slot % PIECE === PIECE - 1) await breathe();
      if (!one) continue;
      const { strategyId } = one.listing;
      if (now >= one.gainedUntil) rankChanges.records.add(strategyId);
      else if (now >= one.until || !isSame(live.valueOf(strategyId, now), one.value))
        rankChanges.histories.add(strategyId);
    }
  };

  const listingsOf = async (): Promise<Map<StrategyId, Listing>> => {
    const listings = new Map<StrategyId, Listing>();
    for (const [slot, one] of standings.all().entries()) {
      if (one) listings.set(one.listing.strategyId, one.listing);
      if (slot % PIECE === PIECE - 1) await breathe();
    }
    return listings;
  };

  return async () => {
    const now = clock.now();
    if (!throttle.isDue(now)) return;
    catalogue.begin();
    if (now < knownSince)
      for (const strategyId of live.strategies()) rankChanges.records.add(strategyId);
    knownSince = now;
    await findMoved(now);
    await inChunks(rankChanges.records, readRecords);
    await inChunks(rankChanges.histories, score);
    const tables = await standings.tables(breathe);
    if (tables) {
      ranking.replace(tables, standings.slots);
      catalogue.replace(await listingsOf());
    }
    throttle.done(now, EVERY);
  };
}

const isSame = (one: Contestant['value'], other: Contestant['value']): boolean =>
  one === other || (one !== null && other !== null && one.eq(other));
