import { type StrategyId, type Timestamp, dayOf, MINUTE, HOUR, DAY } from '@slipstream/domain';
import { type Stores, isSure } from '@slipstream/ports';
import { chunksOf } from '../chunks-of.js';
import type { Core } from '../core.js';
import { recordDay, recordValue } from '../trading/record.js';
import { mergeSamples } from './merge-samples.js';
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

export function createHousekeeping(core: Core): Housekeeping {
  const { unitOfWork, live, clock, fingerprints } = core;
  const [sampling, asking] = [new Throttle(), new Throttle()];
  const mergeOld = mergeSamples(core);
  /** The day before which every day is recorded. It is an earlier one again when the clock was set back: that day has yet to end. */
  let recordedBefore: Timestamp = -Infinity;

  /** Whether a strategy is deleted, asked once an hour: what it held is neither traded nor shown any more, and its record has ended. */
  const deleted = new Map<StrategyId, boolean>();
  const learn = async (
    { strategies }: Pick<Stores, 'strategies'>,
    strategyIds: readonly StrategyId[],
  ): Promise<void> => {
    const now = clock.now();
    if (asking.isDue(now)) {
      deleted.clear();
      asking.done(now, HOUR);
    }
    const unknown = strategyIds.filter((strategyId) => !deleted.has(strategyId));
    if (unknown.length === 0) return;
    for (const { id, deletedAt } of await strategies.list(unknown))
      deleted.set(id, deletedAt !== null);
  };

  const inChunks = async (
    handle: (strategyIds: readonly StrategyId[]) => Promise<void>,
  ): Promise<void> => {
    for (const some of chunksOf(live.strategiesWithPositions(), CHUNK)) await handle(some);
  };

  const sample = (strategyIds: readonly StrategyId[]): Promise<void> =>
    unitOfWork.run(async (stores) => {
      const lasts = await stores.valueHistory.lastOfEach(strategyIds);
      await learn(stores, strategyIds);
      const now = clock.now();
      const moved = strategyIds.flatMap((strategyId, index) => {
        if (deleted.get(strategyId) === true) return [];
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
      await mergeOld();
    },
  };
}
