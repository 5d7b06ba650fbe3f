import type { Notification, NotificationId, Timestamp, UserId } from '@slipstream/domain';
import type { Page } from '../storage/page.js';

/** Keeps notifications. `save` adds or replaces. */
export interface NotificationStore {
  /** The user's notifications with these ids, in the order of the ids, each once. */
  find(userId: UserId, notificationIds: readonly NotificationId[]): Promise<Notification[]>;
  /** Newest first, ties by the later id. */
  list(userId: UserId, page: Page): Promise<Notification[]>;
  /** The notifications without `readAt`, newest first, ties by the later id. */
  unread(userId: UserId): Promise<Notification[]>;
  /** Whether the user has a notification of this type about that strategy (or none), caused by that actor, from after `since`. */
  wasNotified(
    notice: Pick<Notification, 'userId' | 'type' | 'strategyId'> & { readonly actorId: UserId },
    since: Timestamp,
  ): Promise<boolean>;
  save(notification: Notification): Promise<void>;
  /** The user's notifications older than the newest `keep`, at most `limit` of them. */
  beyond(userId: UserId, keep: number, limit: number): Promise<NotificationId[]>;
  /** Removes the user's notifications with these ids, or all of them. */
  remove(userId: UserId, notificationIds?: readonly NotificationId[]): Promise<void>;
}
