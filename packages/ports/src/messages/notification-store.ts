import type {
  Notification,
  NotificationId,
  NotificationType,
  Timestamp,
  UserId,
} from '@slipstream/domain';
import type { Page } from '../storage/page.js';

/** Keeps notifications. `save` adds or replaces. */
export interface NotificationStore {
  /** Those of the ids that are the user's, in the order of the ids, each once. */
  find(userId: UserId, notificationIds: readonly NotificationId[]): Promise<Notification[]>;
  /** Newest first, ties by the later id. */
  list(userId: UserId, page: Page): Promise<Notification[]>;
  /** Those without `readAt`, newest first, ties by the later id. */
  unread(userId: UserId): Promise<Notification[]>;
  /** Whether the user was told of this by that actor after `since`. */
  told(userId: UserId, type: NotificationType, actorId: UserId, since: Timestamp): Promise<boolean>;
  save(notification: Notification): Promise<void>;
  /** What the user has beyond the newest `keep`, at most `limit`. */
  beyond(userId: UserId, keep: number, limit: number): Promise<NotificationId[]>;
  /** Removes all of the user's, or these of theirs. */
  remove(userId: UserId, notificationIds?: readonly NotificationId[]): Promise<void>;
}
