import type {
  Strategy,
  StrategyId,
  Subscription,
  SubscriptionId,
  Timestamp,
  UserId,
} from '@slipstream/domain';
import type { Page } from '../storage/page.js';

/** Keeps strategies, deleted ones too (`deletedAt`): what the caller may see is the use case's to say. */
export interface StrategyStore {
  find(strategyId: StrategyId): Promise<Strategy | undefined>;
  /** Those that exist, in the order of the ids, each once. */
  list(strategyIds: readonly StrategyId[]): Promise<Strategy[]>;
  /** The user's that are not deleted, newest first, ties by the later id. */
  ownedBy(userId: UserId, page: Page): Promise<Strategy[]>;
  /** Every strategy that is not deleted, by id. */
  live(): Promise<Strategy[]>;
  /** Those that are not deleted and were at or below zero when they were saved, or are over, by id. */
  belowZero(): Promise<Strategy[]>;
  /** Those with `endUnderWay`, deleted ones too, by id. */
  endsUnderWay(): Promise<Strategy[]>;
  save(strategy: Strategy): Promise<void>;
}

/** Keeps subscriptions, ended ones too. At most one of a user and a strategy that is not cancelled. */
export interface SubscriptionStore {
  find(subscriptionId: SubscriptionId): Promise<Subscription | undefined>;
  /** The one of that user that is not cancelled. */
  findCurrent(strategyId: StrategyId, userId: UserId): Promise<Subscription | undefined>;
  /** Newest first, ties by the later id, cancelled ones too; only of those strategies when they are named. */
  listOfUser(
    userId: UserId,
    page: Page,
    strategyIds?: readonly StrategyId[],
  ): Promise<Subscription[]>;
  /** The user's (relation `subscriber`) that are not cancelled, by id. */
  following(userId: UserId): Promise<Subscription[]>;
  /** Those of a strategy that are not cancelled, by their users' ids, which come after `after`. */
  currentOf(
    strategyId: StrategyId,
    page: { readonly after: UserId | null; readonly limit: number },
  ): Promise<Subscription[]>;
  /** Not cancelled ones whose `endsAt`, and active ones whose `renewsAt`, is at or before `now`, by id. */
  due(now: Timestamp, limit: number): Promise<Subscription[]>;
  /** How many `active` and `past_due` subscribers (relation `subscriber`) each strategy has; absent means none. */
  countSubscribers(strategyIds: readonly StrategyId[]): Promise<ReadonlyMap<StrategyId, number>>;
  /**
   * How many subscribers that count each strategy has more than at `since`: those that began later, less those that
   * began before and ended later. Absent means neither.
   */
  countGained(
    strategyIds: readonly StrategyId[],
    since: Timestamp,
  ): Promise<ReadonlyMap<StrategyId, number>>;
  save(subscription: Subscription): Promise<void>;
}
