import type { StrategyId } from '@slipstream/domain';

/** The strategies whose figures a commit changed since the ranks were computed last: only these are scored again. */
export class RankChanges {
  /** Their own record, book or subscriptions changed. */
  readonly records = new Set<StrategyId>();
  /** Their value history changed. */
  readonly histories = new Set<StrategyId>();
}
