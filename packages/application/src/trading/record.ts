import {
  type Adjustment,
  type Decimal,
  type Outcome,
  type StrategyId,
  type Timestamp,
  type TrackEntry,
  type ValueBucket,
  addSample,
  splitAt,
  adjustmentBody,
  nextEntry,
  tradeBody,
  valueBody,
  DAY,
} from '@slipstream/domain';
import type { Fingerprints, Stores } from '@slipstream/ports';

type Hashes = Pick<Fingerprints, 'sha256'>;

const dayOf = (at: Timestamp): number => Math.floor(at / DAY);

async function append(
  stores: Stores,
  { sha256 }: Hashes,
  event: Pick<TrackEntry, 'strategyId' | 'kind' | 'at' | 'body'>,
): Promise<void> {
  const last = await stores.track.head(event.strategyId);
  await stores.track.save(nextEntry(last, event, sha256));
}

/** The first sample of a day adds the last of the day before to the track record. */
async function recordDayEnd(
  stores: Stores,
  hashes: Hashes,
  strategyId: StrategyId,
  last: ValueBucket | undefined,
  at: Timestamp,
): Promise<void> {
  if (!last || dayOf(last.lastAt) >= dayOf(at)) return;
  const body = valueBody(last.last);
  await append(stores, hashes, { strategyId, kind: 'value', at: last.lastAt, body });
}

/** Stores value samples of one moment in their order. */
export async function recordValue(
  stores: Stores,
  hashes: Hashes,
  strategyId: StrategyId,
  at: Timestamp,
  ...values: readonly [Decimal, ...Decimal[]]
): Promise<void> {
  const last = await stores.valueHistory.last(strategyId);
  await recordDayEnd(stores, hashes, strategyId, last, at);
  const [first, ...more] = values;
  const bucket = more.reduce(
    (sampled, value) => addSample(sampled, at, value),
    addSample(last, at, first),
  );
  await stores.valueHistory.save(strategyId, bucket);
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
  at: Timestamp,
  value: Decimal,
): Promise<Timestamp> {
  const last = await stores.valueHistory.last(strategyId);
  const startedAt = last ? Math.max(at, last.lastAt + 1) : at;
  await recordDayEnd(stores, hashes, strategyId, last, startedAt);
  for (const bucket of splitAt(last, startedAt, value))
    await stores.valueHistory.save(strategyId, bucket);
  return startedAt;
}

/** Adds every fill to the track record, and the value after it to the history (contract 3). All fills of a command have one time. */
export async function recordFills(
  stores: Stores,
  hashes: Hashes,
  { changes }: Outcome,
): Promise<void> {
  const trades = changes.flatMap((change) => (change.kind === 'filled' ? change.trade : []));
  for (const trade of trades) {
    const { strategyId, createdAt: at } = trade;
    await append(stores, hashes, { strategyId, kind: 'trade', at, body: tradeBody(trade) });
  }
  const [first] = trades;
  const [value, ...more] = trades.flatMap(({ strategyValue }) => strategyValue ?? []);
  if (first && value)
    await recordValue(stores, hashes, first.strategyId, first.createdAt, value, ...more);
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
