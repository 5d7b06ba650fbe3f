import {
  type Adjustment,
  type Market,
  type Outcome,
  type StrategyId,
  type Timestamp,
  type TrackEntry,
  type ValueBucket,
  type ValueDay,
  type ValueSample,
  addSample,
  broughtBack,
  dayBroughtBack,
  isAhead,
  splitAt,
  adjustmentBody,
  nextEntry,
  tradeBody,
  dayBody,
  dayOf,
  grossExposure,
  valueBody,
  withSample,
} from '@slipstream/domain';
import type { Fingerprints, Stores } from '@slipstream/ports';

type Hashes = Pick<Fingerprints, 'sha256'>;

async function append(
  stores: Stores,
  { sha256 }: Hashes,
  event: Pick<TrackEntry, 'strategyId' | 'kind' | 'at' | 'body'>,
): Promise<void> {
  const last = await stores.track.head(event.strategyId);
  await stores.track.save(nextEntry(last, event, sha256));
}

/** Adds a day that is over to the track record. */
export const recordDay = (
  stores: Stores,
  hashes: Hashes,
  strategyId: StrategyId,
  day: ValueDay,
): Promise<void> =>
  append(stores, hashes, { strategyId, kind: 'value', at: day.lastAt, body: dayBody(day) });

/** The last samples of a strategy: its last bucket and its measured day. */
interface LastSamples {
  readonly bucket: ValueBucket | undefined;
  readonly day: ValueDay | undefined;
}

async function lastSamples(
  stores: Stores,
  strategyId: StrategyId,
  now: Timestamp,
): Promise<LastSamples> {
  const bucket = await stores.valueHistory.last(strategyId);
  const day = await stores.valueDays.find(strategyId);
  return bucket && isAhead(bucket, now) ? bringBack(stores, strategyId, day, now) : { bucket, day };
}

/** Moves what was sampled while the clock was ahead to now: else the history would stand still until the clock is there again. */
async function bringBack(
  { valueHistory }: Stores,
  strategyId: StrategyId,
  day: ValueDay | undefined,
  now: Timestamp,
): Promise<LastSamples> {
  const { removed, saved } = broughtBack(await valueHistory.list(strategyId, now), now);
  await valueHistory.remove(strategyId, removed);
  if (saved) await valueHistory.save(strategyId, saved);
  return { bucket: saved, day: day && dayBroughtBack(day, now) };
}

/** The first sample of a day adds the day before to the track record, unless housekeeping did. */
async function recordDayEnd(
  stores: Stores,
  hashes: Hashes,
  strategyId: StrategyId,
  { bucket, day }: LastSamples,
  at: Timestamp,
): Promise<void> {
  if (!bucket || dayOf(bucket.lastAt) >= dayOf(at)) return;
  if (day && !day.isRecorded) await recordDay(stores, hashes, strategyId, day);
  if (day) return;
  const body = valueBody(bucket.last);
  await append(stores, hashes, { strategyId, kind: 'value', at: bucket.lastAt, body });
}

/** Stores value samples of one moment in their order. */
export async function recordValue(
  stores: Stores,
  hashes: Hashes,
  strategyId: StrategyId,
  ...samples: readonly [ValueSample, ...ValueSample[]]
): Promise<void> {
  const [first, ...more] = samples;
  const last = await lastSamples(stores, strategyId, first.at);
  await recordDayEnd(stores, hashes, strategyId, last, first.at);
  const bucket = more.reduce(
    (sampled, { at, value }) => addSample(sampled, at, value),
    addSample(last.bucket, first.at, first.value),
  );
  await stores.valueHistory.save(strategyId, bucket);
  // A day that began before days were measured stays unmeasured.
  if (!last.day && last.bucket && dayOf(last.bucket.lastAt) === dayOf(first.at)) return;
  // The clock may have been set back: like the bucket, the day goes on at its last sample.
  const at = bucket.lastAt;
  const day = more.reduce(
    (measured, sample) => withSample(measured, { ...sample, at }),
    withSample(last.day, { ...first, at }),
  );
  await stores.valueDays.save(strategyId, day);
}

/** Adds the opening or the start of a segment to the track record. */
export const recordSegment = (
  stores: Stores,
  hashes: Hashes,
  strategyId: StrategyId,
  at: Timestamp,
  body: string,
): Promise<void> => append(stores, hashes, { strategyId, kind: 'segment', at, body });

/** Stores the first value of a segment, after every earlier sample. Answers when the segment starts. */
export async function recordSegmentStart(
  stores: Stores,
  hashes: Hashes,
  strategyId: StrategyId,
  { at, value, gross }: ValueSample,
): Promise<Timestamp> {
  const last = await lastSamples(stores, strategyId, at);
  const startedAt = last.bucket ? Math.max(at, last.bucket.lastAt + 1) : at;
  await recordDayEnd(stores, hashes, strategyId, last, startedAt);
  for (const bucket of splitAt(last.bucket, startedAt, value))
    await stores.valueHistory.save(strategyId, bucket);
  await stores.valueDays.save(strategyId, withSample(undefined, { at: startedAt, value, gross }));
  return startedAt;
}

/** Adds every fill to the track record, and the value after it to the history (contract 3). All fills of a command have one time. */
export async function recordFills(
  stores: Stores,
  hashes: Hashes,
  { book, changes }: Outcome,
  market: Market,
): Promise<void> {
  const trades = changes.flatMap((change) => (change.kind === 'filled' ? change.trade : []));
  for (const trade of trades) {
    const { strategyId, createdAt: at } = trade;
    await append(stores, hashes, { strategyId, kind: 'trade', at, body: tradeBody(trade) });
  }
  const [first] = trades;
  const gross = first && grossExposure(book, market);
  if (!first || !gross) return;
  const at = first.createdAt;
  const [sample, ...more] = trades.flatMap(({ strategyValue: value }) =>
    value ? { at, value, gross } : [],
  );
  if (sample) await recordValue(stores, hashes, first.strategyId, sample, ...more);
}

/** Adds a split or dividend to the track record: without it the fills do not add up. */
export const recordAdjustment = (
  stores: Stores,
  hashes: Hashes,
  adjustment: Adjustment,
): Promise<void> =>
  append(stores, hashes, {
    strategyId: adjustment.strategyId,
    kind: 'adjustment',
    at: adjustment.createdAt,
    body: adjustmentBody(adjustment),
  });
