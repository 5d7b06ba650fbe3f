import type { PostId, StrategyId, Timestamp, UserId } from '../ids.js';

/** A user's public message (contract 5, "Timelines"). */
export interface Post {
  readonly id: PostId;
  readonly userId: UserId;
  /** The strategy that it is about; shown only to those who may see that. */
  readonly strategyId: StrategyId | null;
  readonly text: string;
  readonly createdAt: Timestamp;
}

/** A user's like of a post; at most one for each. */
export interface Like {
  readonly postId: PostId;
  readonly userId: UserId;
  readonly createdAt: Timestamp;
}
