import type { StrategyId, Timestamp, ValueBucket } from '@slipstream/domain';

/** Keeps value samples in buckets. A strategy's buckets never overlap, and each has its own start. */
export interface ValueHistoryStore {
  /** The last bucket that ended at or before `from`, then every later one that starts before `before`, oldest first. */
  list(strategyId: StrategyId, from: Timestamp, before?: Timestamp): Promise<ValueBucket[]>;
  /**
   * The buckets that start before that time and are shorter than `length`, oldest first. None of them precedes a bucket of
   * that length or more, because everything before such a bucket was merged earlier.
   */
  shorterBefore(strategyId: StrategyId, before: Timestamp, length: number): Promise<ValueBucket[]>;
  last(strategyId: StrategyId): Promise<ValueBucket | undefined>;
  /** The last bucket of each strategy, in the order of the ids. */
  lastOfEach(strategyIds: readonly StrategyId[]): Promise<(ValueBucket | undefined)[]>;
  /** Adds the bucket, or replaces the one with the same start. */
  save(strategyId: StrategyId, bucket: ValueBucket): Promise<void>;
  remove(strategyId: StrategyId, starts: readonly Timestamp[]): Promise<void>;
}
