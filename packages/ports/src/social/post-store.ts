import type { Like, Post, PostId, UserId } from '@slipstream/domain';
import type { Page } from '../storage/page.js';

/** Keeps posts. Absence is `undefined`. */
export interface PostStore {
  find(postId: PostId): Promise<Post | undefined>;
  /**
   * Posts by any of these authors, newest first, ties by the later id. A cursor may be a post of another author, who was among them
   * before: the list continues at its place.
   */
  list(userIds: readonly UserId[], page: Page): Promise<Post[]>;
  save(post: Post): Promise<void>;
  /** Removes the post and its likes. */
  remove(postId: PostId): Promise<void>;
}

/** Keeps likes of posts, at most one for a user and a post. */
export interface LikeStore {
  /** Which of the posts the user likes. */
  likedBy(userId: UserId, postIds: readonly PostId[]): Promise<ReadonlySet<PostId>>;
  /** A user's likes, newest first, ties by the later id; the cursor is a post's id. */
  listOf(userId: UserId, page: Page): Promise<Like[]>;
  /** The number of likes of each post; absent means none. */
  countOfPosts(postIds: readonly PostId[]): Promise<ReadonlyMap<PostId, number>>;
  /**
   * Adds or replaces.
   * @throws when there is no such post.
   */
  save(like: Like): Promise<void>;
  remove(postId: PostId, userId: UserId): Promise<void>;
}
