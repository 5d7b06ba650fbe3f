import type { ChainHead, StrategyId, TrackEntry } from '@slipstream/domain';

/** The last entry of a strategy's record. */
export interface HeadOfStrategy extends ChainHead {
  readonly strategyId: StrategyId;
}

/** Keeps the strategies' track records; append-only. */
export interface TrackStore {
  /** The head of the last entry; undefined while there is none. */
  head(strategyId: StrategyId): Promise<ChainHead | undefined>;
  /** The heads of the strategies after that id, in the order of their ids. */
  headsAfter(strategyId: StrategyId | undefined, limit: number): Promise<HeadOfStrategy[]>;
  /** The entries after `seq`, oldest first. */
  listAfter(strategyId: StrategyId, seq: number, limit: number): Promise<TrackEntry[]>;
  /** @throws when the strategy already has an entry with that `seq`. */
  save(entry: TrackEntry): Promise<void>;
}
