import type { PostId, StrategyId, Timestamp, UserId } from '../ids.js';

/** A user's public message (contract 5, "Timelines"). */
export interface Post {
  readonly id: PostId;
  readonly userId: UserId;
  /** The strategy of the post, which is shown only to users who may see the strategy. */
  readonly strategyId: StrategyId | null;
  readonly text: string;
  readonly createdAt: Timestamp;
}

/** A user's like of a post; at most one per post. */
export interface Like {
  readonly postId: PostId;
  readonly userId: UserId;
  readonly createdAt: Timestamp;
}
