import type {
  AlertRecord,
  AlertRecordId,
  OrderId,
  StrategyId,
  Timestamp,
  UserId,
} from '@slipstream/domain';
import type { Page } from '../storage/page.js';

/** The inbox: every alert that came with a valid token (contract 3). */
export interface AlertStore {
  find(id: AlertRecordId): Promise<AlertRecord | undefined>;
  /** The oldest one with an answer of its own that the strategy got under that `alert_id`. */
  findFirst(strategyId: StrategyId, alertId: string): Promise<AlertRecord | undefined>;
  /** Those with an answer of their own that were received at `since` or later; in the order in which they were first saved. */
  answeredSince(since: Timestamp): Promise<AlertRecord[]>;
  /** The one whose own answer was that order. */
  findByOrder(orderId: OrderId): Promise<AlertRecord | undefined>;
  /** Newest first, ties by the later id. */
  listOfStrategy(strategyId: StrategyId, page: Page): Promise<AlertRecord[]>;
  /** Newest first, ties by the later id. */
  listOfUser(userId: UserId, page: Page): Promise<AlertRecord[]>;
  /**
   * Oldest first, ties by id, at most `limit` of those received before that time. One with an `alert_id` and an answer of its own
   * is never among them: a repeat may come whenever.
   */
  expired(before: Timestamp, limit: number): Promise<AlertRecordId[]>;
  /**
   * What a user has beyond `keep` alerts: the oldest refused ones, and when there are none the oldest others that were received
   * before that time, ties by id; at most `limit`, and never one that `expired` leaves out.
   */
  beyond(userId: UserId, keep: number, before: Timestamp, limit: number): Promise<AlertRecordId[]>;
  /** A user's alerts that have a body, oldest first, ties by id. */
  withBody(userId: UserId, limit: number): Promise<AlertRecord[]>;
  save(record: AlertRecord): Promise<void>;
  remove(ids: readonly AlertRecordId[]): Promise<void>;
}
