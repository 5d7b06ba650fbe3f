import {
  DAY,
  HOUR,
  type StrategyId,
  type Timestamp,
  compact,
  segmentStarts,
} from '@slipstream/domain';
import { type Stores, isSure } from '@slipstream/ports';
import type { Core } from '../core.js';
import { aged } from '../performance/aged.js';
import { Throttle } from './throttle.js';

/** A strategy with the version of its book. */
type Due = readonly [StrategyId, number];

/** The most strategies in one transaction. */
const AT_ONCE = 50;
/** Samples after which no other strategy is merged in the same transaction: after a stop of days each has thousands, and alerts wait for it. */
const ENOUGH = 1_000;
/** Samples that are merged in one tick, which has more to do: what is left is merged by the next ones. */
const OF_A_TICK = 10_000;

/**
 * Merges the samples that have grown old once an hour (contract 3, "Value history"), those of strategies without positions too, of
 * deleted and ended ones as of others. What was merged to days is not looked at again until its book changes.
 */
export function mergeSamples({
  unitOfWork,
  live,
  clock,
}: Pick<Core, 'unitOfWork' | 'live' | 'clock'>): () => Promise<void> {
  const throttle = new Throttle();
  /** Those to be looked at, and how many of them were. */
  let [due, looked]: [readonly Due[], number] = [[], 0];
  /** Strategies without positions whose samples are days, with the version of their book. */
  const settled = new Map<StrategyId, number>();

  /** Returns how many samples had grown old. */
  const mergeOf = async (
    { strategies, valueHistory }: Stores,
    strategyId: StrategyId,
    now: Timestamp,
  ): Promise<number> => {
    const old = await aged(
      (before, length) => valueHistory.shorterBefore(strategyId, before, length),
      now,
    );
    const strategy = old.length > 0 ? await strategies.find(strategyId) : undefined;
    const { removed, saved } = compact(old, now, strategy && segmentStarts(strategy));
    if (removed.length > 0) await valueHistory.remove(strategyId, removed);
    for (const bucket of saved) await valueHistory.save(strategyId, bucket);
    return old.length;
  };

  /** The first ones, until they were enough. Returns how many strategies and samples that were. */
  const mergeSome = (some: readonly Due[]) =>
    unitOfWork.run(async (stores) => {
      const now = clock.now();
      let [done, merged] = [0, 0];
      for (const [strategyId, version] of some) {
        if (merged >= ENOUGH) break;
        done += 1;
        const last = live.hasPositions(strategyId)
          ? undefined
          : await stores.valueHistory.last(strategyId);
        const isSettled = !live.hasPositions(strategyId) && (!last || last.length === DAY);
        if (isSettled) settled.set(strategyId, version);
        else merged += await mergeOf(stores, strategyId, now);
      }
      return { done, merged };
    });

  return async () => {
    const now = clock.now();
    if (!isSure(clock)) return;
    if (throttle.isDue(now)) {
      due = [...live.bookVersions()].filter(
        ([strategyId, version]) =>
          live.hasPositions(strategyId) || settled.get(strategyId) !== version,
      );
      looked = 0;
      throttle.done(now, HOUR);
    }
    for (let merged = 0; looked < due.length && merged < OF_A_TICK;) {
      const some = await mergeSome(due.slice(looked, looked + AT_ONCE));
      looked += some.done;
      merged += some.merged;
    }
  };
}
