import type { StrategyId, Timestamp, ValueBucket } from '@slipstream/domain';

/** Keeps value samples in buckets that never overlap, one per strategy and start. */
export interface ValueHistoryStore {
  /** Oldest first: the last bucket that ended at or before `from`, then every later one. */
  list(strategyId: StrategyId, from: Timestamp): Promise<ValueBucket[]>;
  /**
   * Those that start before that time and are shorter than `length`, oldest first, but none before one that is as long:
   * what came before it was merged earlier.
   */
  shorterBefore(strategyId: StrategyId, before: Timestamp, length: number): Promise<ValueBucket[]>;
  last(strategyId: StrategyId): Promise<ValueBucket | undefined>;
  /** The last of each, in their order. The same object as before only while no sample was added since. */
  lastOfEach(strategyIds: readonly StrategyId[]): Promise<(ValueBucket | undefined)[]>;
  /** Adds, or replaces the one with the same start. */
  save(strategyId: StrategyId, bucket: ValueBucket): Promise<void>;
  remove(strategyId: StrategyId, starts: readonly Timestamp[]): Promise<void>;
}
