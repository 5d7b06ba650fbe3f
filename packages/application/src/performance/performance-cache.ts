import {
  type Baseline,
  type Decimal,
  NO_STRETCH,
  type Performance,
  type StrategyId,
  type Timestamp,
  VALUE_PLACES,
  type ValueBucket,
  type ValueWindow,
  maxDrawdown,
  continued,
  pastValue,
  overEach,
  performanceInUnits,
  readUntil,
  unitsOf,
  valueWindows,
  windowAt,
  withBucket,
  type Timeframe,
} from '@slipstream/domain';
import type { ReadStores } from '@slipstream/ports';
import { KnownHistories } from './known-histories.js';
import {
  type Glance,
  KnownHistory,
  type PerformanceOver,
  type Reach,
  type ReadHistory,
  isSameBucket,
  startOf,
} from './known-history.js';

/** A bucket that ended this many milliseconds ago is never written again. */
const SEALED_AFTER = 300_000;
/** An older history is read again as a whole, because its buckets merge with age. */
const KEPT_FOR = 12 * 3_600_000;
/** The histories that keep the answers that were made of them. */
const ANSWERED = 5_000;

const endOf = (bucket: ValueBucket): Timestamp => bucket.start + bucket.length;

/** A strategy whose performance is asked for, with its present value (null while unavailable) and its segment. */
export interface Valued {
  readonly strategyId: StrategyId;
  readonly value: Decimal | null;
  readonly baseline: Baseline;
}

/**
 * Caches past values and drawdowns of strategies. A cached history is valid while the stored last bucket is the same as when
 * the history was read, or as the last sample made it. Every call compares it with the stores, so a fill shows in the next result.
 */
export class PerformanceCache {
  private readonly kept: KnownHistories;

  /** `answered`: how many histories keep their answers. */
  constructor(answered = ANSWERED) {
    this.kept = new KnownHistories(answered);
  }

  /**
   * Called at the commit of each bucket, in order, with the last one before it. A history that a sample continues is not read
   * again.
   */
  saved(strategyId: StrategyId, before: ValueBucket | undefined, bucket: ValueBucket): void {
    const kept = this.kept.find(strategyId);
    if (!kept || !isSameBucket(kept.read.last, before)) return;
    const next = kept.sampled(bucket);
    if (next) this.kept.put(strategyId, next);
  }

  /** The performance of each strategy over the timeframes at `now`, in the given order. */
  async of(
    { valueHistory }: Pick<ReadStores, 'valueHistory'>,
    strategies: readonly Valued[],
    timeframes: readonly Timeframe[],
    now: Timestamp,
  ): Promise<PerformanceOver[]> {
    const lasts = await valueHistory.lastOfEach(strategies.map(({ strategyId }) => strategyId));
    const found: PerformanceOver[] = [];
    for (const [index, valued] of strategies.entries()) {
      const { strategyId, value, baseline } = valued;
      const asked = { valued, timeframes, now, last: lasts[index] };
      const { history, answer } = await this.answer(valueHistory, asked, (known) =>
        known.performance(timeframes, now, value),
      );
      this.kept.use(strategyId, history);
      found.push(
        'all' in answer ? exactly(answer.all, { timeframes, now, value, baseline }) : answer,
      );
    }
    return found;
  }

  /** The figures of one strategy, for work on all. */
  async glance(
    { valueHistory }: Pick<ReadStores, 'valueHistory'>,
    valued: Valued,
    timeframes: readonly Timeframe[],
    now: Timestamp,
  ): Promise<Glance> {
    const { strategyId, value, baseline } = valued;
    const last = await valueHistory.last(strategyId);
    const units = value && unitsOf(value, VALUE_PLACES);
    const asked = { valued, timeframes, now, last };
    const { history, isNew, answer } = await this.answer(valueHistory, asked, (known) =>
      known.glance(timeframes, now, units),
    );
    if (isNew) this.kept.put(strategyId, history);
    if (!('all' in answer)) return answer;
    const exact = exactly(answer.all, { timeframes, now, value, baseline }).timeframes;
    const over = timeframes.map((one) => performanceInUnits(exact[one] as Performance));
    return { units, over, heldUntil: now };
  }

  /** What `answerOf` says of the history, which is read if it must; or all its buckets where no history can tell. */
  private async answer<Figures extends object>(
    valueHistory: ReadStores['valueHistory'],
    { valued, timeframes, now, last }: Asked,
    answerOf: (history: KnownHistory) => Figures | undefined,
  ): Promise<{
    readonly history: KnownHistory;
    readonly isNew: boolean;
    readonly answer: Figures | { readonly all: readonly ValueBucket[] };
  }> {
    const { strategyId, baseline } = valued;
    const kept = this.kept.find(strategyId);
    const before = kept?.read.baseline.since === baseline.since ? kept : undefined;
    const known = before && isSameBucket(before.read.last, last) ? before : undefined;
    const same = known && answerOf(known);
    if (known && same) return { history: known, isNew: false, answer: same };
    const { history, all } = await load(valueHistory, {
      before: before?.read,
      ...{ strategyId, timeframes, now, last, baseline },
    });
    return { history, isNew: true, answer: answerOf(history) ?? { all: await all() } };
  }
}

interface Asked {
  readonly valued: Valued;
  readonly timeframes: readonly Timeframe[];
  readonly now: Timestamp;
  /** The present last bucket. */
  readonly last: ValueBucket | undefined;
}

interface Loaded extends Omit<Asked, 'valued'> {
  readonly strategyId: StrategyId;
  /** The history of the segment known so far. */
  readonly before: ReadHistory | undefined;
  readonly baseline: Baseline;
}

/** Reads a history. If the windows of `before` can be continued, it reads only newer buckets. `all` reads every bucket. */
async function load(
  valueHistory: ReadStores['valueHistory'],
  { strategyId, timeframes, now, before, last, baseline }: Loaded,
) {
  const goesOn = before && now >= Math.max(before.at, before.standsFrom);
  const base = goesOn && now - before.at < KEPT_FOR ? before : undefined;
  const through = Math.max(base?.through ?? 0, now - SEALED_AFTER);
  const isSealed = (bucket: ValueBucket): boolean => endOf(bucket) <= through;
  const since = base?.through ?? through;
  const list = async (from: Timestamp, before?: Timestamp) =>
    (await valueHistory.list(strategyId, from, before)).filter(
      ({ start }) => start >= baseline.since,
    );
  const later = (await list(since)).filter((bucket) => endOf(bucket) > since);
  const recent = later.filter((bucket) => !isSealed(bucket)).reduce(withBucket, NO_STRETCH);
  const newlySealed = later.filter(isSealed);
  const windows: { [Of in Reach]?: ValueWindow } = {};
  // Windows that are one object stay one.
  const longer = new Map<ValueWindow, ValueWindow>();
  for (const [reach, window] of Object.entries(base?.windows ?? {}) as [Reach, ValueWindow][]) {
    const next = longer.get(window) ?? {
      ...window,
      added: newlySealed.reduce(withBucket, window.added),
    };
    longer.set(window, next);
    windows[reach] = next;
  }

  let buckets: readonly ValueBucket[] | undefined;
  const all = async () => (buckets ??= await list(baseline.since));
  const remade = new Set<Reach>();
  for (const reach of [...timeframes, 'segment'] as const) {
    const from = startOf(reach, now);
    const window = windows[reach];
    if (window && windowAt(window, from, recent)) continue;
    const until = window && readUntil(window, from, recent);
    if (window && until !== undefined)
      windows[reach] = continued(window, from, await list(from, until), baseline.value);
    else remade.add(reach);
  }
  if (remade.size > 0) {
    const sealed = (await all()).filter(isSealed);
    // Five years of buckets take some ten milliseconds. This call of a store lets other work run before.
    await valueHistory.last(strategyId);
    const windowFrom = valueWindows(sealed, baseline.value);
    // All of them, because buckets have merged since those that still stand were made.
    for (const reach of [...(Object.keys(windows) as Reach[]), ...remade])
      windows[reach] = windowFrom(startOf(reach, now));
  }
  const read = { last, at: now, standsFrom: now, through, baseline, windows, recent };
  return { history: new KnownHistory(read), all };
}

/** Computes from all buckets of the segment. Needed if a change of the clock made a bucket too long for a window. */
function exactly(
  buckets: readonly ValueBucket[],
  {
    timeframes,
    now,
    value,
    baseline,
  }: Pick<Asked, 'timeframes' | 'now'> & Pick<Valued, 'value' | 'baseline'>,
): PerformanceOver {
  const over = (reach: Reach): Performance => {
    const from = startOf(reach, now);
    return {
      pastValue: pastValue(buckets, from, baseline.value),
      maxDrawdown: maxDrawdown(buckets, from, value, baseline.value),
    };
  };
  return {
    timeframes: overEach(timeframes, over),
    segment: over('segment'),
  };
}
