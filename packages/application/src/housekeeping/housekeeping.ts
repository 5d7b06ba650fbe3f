import {
  type StrategyId,
  type Timestamp,
  compact,
  dayOf,
  segmentStarts,
  MINUTE,
  HOUR,
  DAY,
} from '@slipstream/domain';
import { isSure } from '@slipstream/ports';
import { chunksOf } from '../chunks-of.js';
import type { Core } from '../core.js';
import { aged } from '../performance/aged.js';
import { recordDay, recordValue } from '../trading/record.js';
import { Throttle } from './throttle.js';

/** The number of strategies sampled in one transaction: small, so that commands run in between. */
const CHUNK = 50;

/** The regular work of the core. Each call does the due work; a restart loses nothing important. */
export interface Housekeeping {
  /** Samples values and records that the service runs once a minute, records days that are over, merges old samples once an hour. */
  tick(): Promise<void>;
  /** Records the days that are over. */
  recordDays(): Promise<void>;
  /** Every day that ended before this time is in the track records; -Infinity until the first call has recorded them. */
  recordedBefore(): Timestamp;
}

export function createHousekeeping({ unitOfWork, live, clock, fingerprints }: Core): Housekeeping {
  const [sampling, compacting] = [new Throttle(), new Throttle()];
  /** The day before which every day is recorded. It is an earlier one again when the clock was set back: that day has yet to end. */
  let recordedBefore: Timestamp = -Infinity;

  const inChunks = async (
    handle: (strategyIds: readonly StrategyId[]) => Promise<void>,
  ): Promise<void> => {
    for (const some of chunksOf(live.strategiesWithPositions(), CHUNK)) await handle(some);
  };

  const sample = (strategyIds: readonly StrategyId[]): Promise<void> =>
    unitOfWork.run(async (stores) => {
      const lasts = await stores.valueHistory.lastOfEach(strategyIds);
      const now = clock.now();
      const moved = strategyIds.flatMap((strategyId, index) => {
        const value = live.valueOf(strategyId, now);
        return value && !lasts[index]?.last.eq(value) ? { strategyId, value } : [];
      });
      // Together, because a database in another process is then asked once; `recordValue` finds them in memory.
      await Promise.all(moved.map(({ strategyId }) => stores.valueDays.find(strategyId)));
      for (const { strategyId, value } of moved) {
        const gross = live.grossOf(strategyId, now);
        if (gross) await recordValue(stores, fingerprints, strategyId, { at: now, value, gross });
      }
    });

  /** The days that are over, also of strategies without a sample since. */
  const recordAll = async (): Promise<void> => {
    const today = dayOf(clock.now()) * DAY;
    for (let after: StrategyId | undefined; recordedBefore !== today;) {
      const days = await unitOfWork.run(async (stores) => {
        const over = await stores.valueDays.unrecorded(today, CHUNK, after);
        for (const { strategyId, day } of over) {
          await recordDay(stores, fingerprints, strategyId, day);
          await stores.valueDays.save(strategyId, { ...day, isRecorded: true });
        }
        return over;
      });
      after = days.at(-1)?.strategyId;
      if (days.length < CHUNK) recordedBefore = today;
    }
  };

  /** One after another: two runs would record the same days. */
  let recording: Promise<unknown> = Promise.resolve();
  const recordDays = (): Promise<void> => {
    const run = recording.then(recordAll);
    recording = run.catch(() => undefined);
    return run;
  };

  const compactAll = (strategyIds: readonly StrategyId[]): Promise<void> =>
    unitOfWork.run(async ({ strategies, valueHistory }) => {
      const now = clock.now();
      for (const strategyId of strategyIds) {
        const old = await aged(
          (before, length) => valueHistory.shorterBefore(strategyId, before, length),
          now,
        );
        const strategy = old.length > 0 ? await strategies.find(strategyId) : undefined;
        const { removed, saved } = compact(old, now, strategy && segmentStarts(strategy));
        if (removed.length > 0) await valueHistory.remove(strategyId, removed);
        for (const bucket of saved) await valueHistory.save(strategyId, bucket);
      }
    });

  return {
    recordDays,
    recordedBefore: () => recordedBefore,
    async tick() {
      const now = clock.now();
      if (sampling.isDue(now)) {
        await inChunks(sample);
        if (isSure(clock)) {
          await recordDays();
          await unitOfWork.run((stores) =>
            stores.marketRuns.save({ market: live.marketKind, at: now }),
          );
        }
        sampling.done(now, MINUTE);
      }
      if (compacting.isDue(now) && isSure(clock)) {
        await inChunks(compactAll);
        compacting.done(now, HOUR);
      }
    },
  };
}
