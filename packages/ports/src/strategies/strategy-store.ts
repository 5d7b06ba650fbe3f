import type {
  Membership,
  Strategy,
  StrategyId,
  Subscription,
  SubscriptionId,
  Timestamp,
  UserId,
} from '@slipstream/domain';
import type { Page } from '../storage/page.js';

/** Keeps strategies, also deleted ones (`deletedAt`). The use case decides which of them a caller may see. */
export interface StrategyStore {
  find(strategyId: StrategyId): Promise<Strategy | undefined>;
  /** The strategies that exist, in the order of the ids, each once. */
  list(strategyIds: readonly StrategyId[]): Promise<Strategy[]>;
  /** The user's strategies that are not deleted, newest first, ties by the later id. */
  ownedBy(userId: UserId, page: Page): Promise<Strategy[]>;
  /** Every strategy that is not deleted, by id. */
  live(): Promise<Strategy[]>;
  /** The strategies that are not deleted and were at or below zero when they were saved, or have ended, by id. */
  belowZero(): Promise<Strategy[]>;
  /** The strategies with `endUnderWay`, also deleted ones, by id. */
  endsUnderWay(): Promise<Strategy[]>;
  /** The strategies with `segmentOpening` that are not deleted, by id. */
  segmentsOpening(): Promise<Strategy[]>;
  /** At most `limit` strategies with an `alertDueAt` at or before `now`, longest due first, ties by id; also deleted ones. */
  alertsDue(now: Timestamp, limit: number): Promise<Strategy[]>;
  save(strategy: Strategy): Promise<void>;
}

/** Keeps subscriptions, also ended ones. A user has at most one to a strategy that is not cancelled. */
export interface SubscriptionStore {
  find(subscriptionId: SubscriptionId): Promise<Subscription | undefined>;
  /** The user's subscription to the strategy that is not cancelled. */
  findCurrent(strategyId: StrategyId, userId: UserId): Promise<Subscription | undefined>;
  /** Newest first, ties by the later id, also cancelled ones; with `strategyIds`, only those to these strategies. */
  listOfUser(
    userId: UserId,
    page: Page,
    strategyIds?: readonly StrategyId[],
  ): Promise<Subscription[]>;
  /** The user's subscriptions with the relation `subscriber` that are not cancelled, by id. */
  following(userId: UserId): Promise<Subscription[]>;
  /** A strategy's subscriptions that are not cancelled, sorted by user id, starting after the user `after`. */
  currentOf(
    strategyId: StrategyId,
    page: { readonly after: UserId | null; readonly limit: number },
  ): Promise<Subscription[]>;
  /** Subscriptions that are not cancelled and whose `endsAt` is at or before `now`, and active ones whose `renewsAt` is; longest due first, ties by id. */
  due(now: Timestamp, limit: number): Promise<Subscription[]>;
  /** The number of `active` and `past_due` subscribers (relation `subscriber`) of each strategy; absent means none. */
  countSubscribers(strategyIds: readonly StrategyId[]): Promise<ReadonlyMap<StrategyId, number>>;
  /** Each strategy's subscribers who count as in `countSubscribers`, and the cancelled ones with an end; oldest first. Absent means none. */
  memberships(
    strategyIds: readonly StrategyId[],
  ): Promise<ReadonlyMap<StrategyId, readonly Membership[]>>;
  save(subscription: Subscription): Promise<void>;
}
