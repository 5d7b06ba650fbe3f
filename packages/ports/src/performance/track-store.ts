import type { StrategyId, TrackEntry, TrackHead } from '@slipstream/domain';

/** Keeps the strategies' track records; append-only. */
export interface TrackStore {
  /** The last entry's; undefined while there is none. */
  head(strategyId: StrategyId): Promise<TrackHead | undefined>;
  /** Oldest first, those after `seq`. */
  listAfter(strategyId: StrategyId, seq: number, limit: number): Promise<TrackEntry[]>;
  /** @throws when the strategy has an entry of that `seq`. */
  save(entry: TrackEntry): Promise<void>;
}
