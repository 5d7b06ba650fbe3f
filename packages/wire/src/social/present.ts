import type { Post } from '@slipstream/domain';
import type { z } from 'zod';
import { timeText } from '../fields/output.js';
import type { postResource } from './resources.js';

/** A post without its likes. */
export const presentOwnPost = (post: Post) => ({
  post_id: post.id,
  user_id: post.userId,
  strategy_id: post.strategyId,
  text: post.text,
  created_at: timeText(post.createdAt),
});

/** A post as its reader may see it. */
export const presentPost = (view: {
  readonly post: Post;
  readonly likeCount: number;
  readonly liked: boolean;
}): z.infer<typeof postResource> => ({
  ...presentOwnPost(view.post),
  like_count: String(view.likeCount),
  liked: view.liked,
});
