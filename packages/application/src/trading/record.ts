import {
  type Adjustment,
  type Decimal,
  type Outcome,
  type StrategyId,
  type Timestamp,
  type TrackEntry,
  addSample,
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

/** Stores value samples of one moment in their order. The first of a day adds the last of the day before to the track record. */
export async function recordValue(
  stores: Stores,
  hashes: Hashes,
  strategyId: StrategyId,
  at: Timestamp,
  ...values: readonly [Decimal, ...Decimal[]]
): Promise<void> {
  const last = await stores.valueHistory.last(strategyId);
  if (last && dayOf(last.lastAt) < dayOf(at)) {
    const body = valueBody(last.last);
    await append(stores, hashes, { strategyId, kind: 'value', at: last.lastAt, body });
  }
  const [first, ...more] = values;
  const bucket = more.reduce(
    (sampled, value) => addSample(sampled, at, value),
    addSample(last, at, first),
  );
  await stores.valueHistory.save(strategyId, bucket);
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
