import type { ClaimedPoint, StrategyId } from '@slipstream/domain';

/** Keeps the points of the imported history of each strategy that has one. */
export interface ClaimedHistoryStore {
  /** Oldest first; undefined without one. */
  find(strategyId: StrategyId): Promise<readonly ClaimedPoint[] | undefined>;
  /** Replaces the points of the strategy. */
  save(strategyId: StrategyId, points: readonly ClaimedPoint[]): Promise<void>;
  remove(strategyId: StrategyId): Promise<void>;
}
