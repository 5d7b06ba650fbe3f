import type { StrategyId, Timestamp, ValueDay } from '@slipstream/domain';

/** The last measured day of a strategy. */
export interface DayOfStrategy {
  readonly strategyId: StrategyId;
  readonly day: ValueDay;
}

/** Keeps the last measured day of each strategy, until and after its track record has it. */
export interface ValueDayStore {
  find(strategyId: StrategyId): Promise<ValueDay | undefined>;
  /**
   * At most `limit` days that no record has and whose last sample is earlier than `before`, by strategy: those after `after`.
   * It may look at every strategy: it is asked once a day.
   */
  unrecorded(before: Timestamp, limit: number, after?: StrategyId): Promise<DayOfStrategy[]>;
  /** Replaces the strategy's day. */
  save(strategyId: StrategyId, day: ValueDay): Promise<void>;
}
