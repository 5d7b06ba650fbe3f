import type { StrategyId } from '@slipstream/domain';

/**
 * Ends the subscriptions of a deleted or ended strategy. There may be thousands, so they are handled a few at a time. All changes
 * of one follower are one transaction, as of the moment of the end. The strategy stores the progress.
 */
export interface StrategyEnds {
  /** Continues to the last follower; does nothing without a running end. Calls may overlap. */
  finish(strategyId: StrategyId): Promise<void>;
  /** The same for the request that decided the end. The decision stands; `resume` continues after a failure. */
  finishIfPossible(strategyId: StrategyId): Promise<void>;
  /** Continues ends that an earlier process or a failure left incomplete. */
  resume(): Promise<void>;
}
