import type { StrategyId, TrackEntry } from '@slipstream/domain';
import type { z } from 'zod';
import type { trackRecordResource } from '../resources/index.js';
import { timeText } from './output.js';

/** The entries with their hashes, so that a reader can check the chain. */
export const presentTrackRecord = (record: {
  readonly strategyId: StrategyId;
  readonly entries: readonly TrackEntry[];
}): z.infer<typeof trackRecordResource> => ({
  strategy_id: record.strategyId,
  entries: record.entries.map(({ seq, kind, at, body, previousHash, hash }) => ({
    seq,
    kind,
    at: timeText(at),
    body,
    previous_hash: previousHash,
    hash,
  })),
});
