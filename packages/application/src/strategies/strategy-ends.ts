import type { StrategyId } from '@slipstream/domain';

/**
 * What follows for the followers when a strategy was deleted or is over. They may be thousands, so they are settled some at
 * a time, each with everything that is theirs in one transaction, as of the moment of the end. How far that came is kept
 * with the strategy.
 */
export interface StrategyEnds {
  /** Goes on to the last follower; nothing when no end is under way. Calls may overlap. */
  settle(strategyId: StrategyId): Promise<void>;
  /** The same for who has decided the end, which stands: what fails here is left to `resume`. */
  settleIfPossible(strategyId: StrategyId): Promise<void>;
  /** What a process before left, or what failed. */
  resume(): Promise<void>;
}
