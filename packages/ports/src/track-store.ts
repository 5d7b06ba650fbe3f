import type { StrategyId, TrackEntry } from '@slipstream/domain';

/** Keeps the strategies' track records; append-only. */
export interface TrackStore {
  last(strategyId: StrategyId): Promise<TrackEntry | undefined>;
  /** Oldest first, those after `seq`. */
  listAfter(strategyId: StrategyId, seq: number, limit: number): Promise<TrackEntry[]>;
  /** Throws when the strategy has an entry of that `seq`. */
  save(entry: TrackEntry): Promise<void>;
}
