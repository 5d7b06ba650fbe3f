import type {
  Like,
  Notification,
  NotificationId,
  NotificationType,
  Post,
  PostId,
  Timestamp,
  UserId,
} from '@slipstream/domain';
import type { Page } from './page.js';

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

/** Keeps posts. Absence is `undefined`. */
export interface PostStore {
  find(postId: PostId): Promise<Post | undefined>;
  /** Of any of these authors, newest first, ties by the later id. */
  list(userIds: readonly UserId[], page: Page): Promise<Post[]>;
  save(post: Post): Promise<void>;
  /** Removes the post and its likes. */
  remove(postId: PostId): Promise<void>;
}

/** Keeps likes of posts, at most one of a user and a post. */
export interface LikeStore {
  /** Those of the posts that the user likes. */
  likedBy(userId: UserId, postIds: readonly PostId[]): Promise<ReadonlySet<PostId>>;
  /** Those that the user gave, newest first, ties by the later id; the cursor is a post's id. */
  listOf(userId: UserId, page: Page): Promise<Like[]>;
  /** How many each post has; absent means none. */
  countOfPosts(postIds: readonly PostId[]): Promise<ReadonlyMap<PostId, number>>;
  save(like: Like): Promise<void>;
  remove(postId: PostId, userId: UserId): Promise<void>;
}
