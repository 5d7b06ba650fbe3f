import type { PostId, StrategyId, Timestamp, UserId } from '../ids.js';

/** What a user says in public (contract 5, "Timelines"). */
export interface Post {
  readonly id: PostId;
  readonly userId: UserId;
  /** The strategy that it is about; shown only to those who may see that. */
  readonly strategyId: StrategyId | null;
  readonly text: string;
  readonly createdAt: Timestamp;
}

/** At most one of a user and a post. */
export interface Like {
  readonly postId: PostId;
  readonly userId: UserId;
  readonly createdAt: Timestamp;
}
