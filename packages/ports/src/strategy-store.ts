import type {
  Strategy,
  StrategyId,
  Subscription,
  SubscriptionId,
  UserId,
} from '@slipstream/domain';

/** Keeps strategies, deleted ones too (`deletedAt`): what the caller may see is the use case's to say. */
export interface StrategyStore {
  find(strategyId: StrategyId): Promise<Strategy | undefined>;
  list(strategyIds: readonly StrategyId[]): Promise<Strategy[]>;
  /** Every strategy that is not deleted. */
  live(): Promise<Strategy[]>;
  save(strategy: Strategy): Promise<void>;
}

/** Keeps subscriptions, ended ones too. At most one of a user and a strategy that is not cancelled. */
export interface SubscriptionStore {
  find(subscriptionId: SubscriptionId): Promise<Subscription | undefined>;
  /** The one of that user that is not cancelled. */
  findCurrent(strategyId: StrategyId, userId: UserId): Promise<Subscription | undefined>;
  /** Newest first, cancelled ones too. */
  listOfUser(userId: UserId): Promise<Subscription[]>;
  listOfStrategy(strategyId: StrategyId): Promise<Subscription[]>;
  /** How many `active` and `past_due` subscribers (relation `subscriber`) each strategy has; absent means none. */
  countSubscribers(strategyIds: readonly StrategyId[]): Promise<ReadonlyMap<StrategyId, number>>;
  save(subscription: Subscription): Promise<void>;
}
