import type {
  AlertRecord,
  AlertRecordId,
  OrderId,
  StrategyId,
  Timestamp,
  UserId,
} from '@slipstream/domain';
import type { Page } from '../storage/page.js';

/** The inbox: every alert that was sent with a valid token (contract 3). */
export interface AlertStore {
  find(id: AlertRecordId): Promise<AlertRecord | undefined>;
  /** The strategy's oldest alert with that `alert_id` that has an answer of its own. */
  findFirst(strategyId: StrategyId, alertId: string): Promise<AlertRecord | undefined>;
  /** The alerts received at `since` or later that have an answer of their own, in the order in which they were first saved. */
  answeredSince(since: Timestamp): Promise<AlertRecord[]>;
  /** The alert whose own answer was that order. */
  findByOrder(orderId: OrderId): Promise<AlertRecord | undefined>;
  /** Newest first, ties by the later id. */
  listOfStrategy(strategyId: StrategyId, page: Page): Promise<AlertRecord[]>;
  /** Newest first, ties by the later id. */
  listOfUser(userId: UserId, page: Page): Promise<AlertRecord[]>;
  /**
   * At most `limit` alerts received before that time, oldest first, ties by id. Never one with an `alert_id` and an answer of its
   * own, because a repeat may come at any time, nor the last one of a strategy that watches its alerts and is not deleted.
   */
  expired(before: Timestamp, limit: number): Promise<AlertRecordId[]>;
  /**
   * The alerts that a user has in excess of `keep`: the oldest refused ones or, when there are none, the oldest others received
   * before that time, ties by id. At most `limit`, and never one that `expired` omits. Those with an `alert_id` and an answer of
   * their own do not count: nothing makes room for them.
   */
  beyond(userId: UserId, keep: number, before: Timestamp, limit: number): Promise<AlertRecordId[]>;
  /** The user's alerts that have a body, oldest first, ties by id. */
  withBody(userId: UserId, limit: number): Promise<AlertRecord[]>;
  /** Keeps a new alert. */
  add(record: AlertRecord): Promise<void>;
  /** Keeps what became of an alert that is there. */
  save(record: AlertRecord): Promise<void>;
  remove(ids: readonly AlertRecordId[]): Promise<void>;
}
