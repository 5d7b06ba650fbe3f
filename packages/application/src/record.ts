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
} from '@slipstream/domain';
import type { Fingerprints, Stores } from '@slipstream/ports';

type Hashes = Pick<Fingerprints, 'sha256'>;

const DAY = 86_400_000;
const dayOf = (at: Timestamp): number => Math.floor(at / DAY);

async function append(
  stores: Stores,
  { sha256 }: Hashes,
  event: Pick<TrackEntry, 'strategyId' | 'kind' | 'at' | 'body'>,
): Promise<void> {
  const last = await stores.track.head(event.strategyId);
  await stores.track.save(nextEntry(last, event, sha256));
}

/** A sample of the value; the first one of a day puts the last one of the day before into the track record. */
export async function recordValue(
  stores: Stores,
  hashes: Hashes,
  strategyId: StrategyId,
  at: Timestamp,
  value: Decimal,
): Promise<void> {
  const last = await stores.valueHistory.last(strategyId);
  if (last && dayOf(last.lastAt) < dayOf(at)) {
    const body = valueBody(last.last);
    await append(stores, hashes, { strategyId, kind: 'value', at: last.lastAt, body });
  }
  await stores.valueHistory.save(strategyId, addSample(last, at, value));
}

/** Every fill goes into the track record; the value after the last one is a sample of the history (contract 3). */
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
  const last = trades.at(-1);
  if (last?.strategyValue) {
    await recordValue(stores, hashes, last.strategyId, last.createdAt, last.strategyValue);
  }
}

/** A split or dividend is part of the record: without it the fills do not add up. */
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
