import type { Like, Post } from '@slipstream/domain';
import { type RowOf, columnsOf, integer, nullable, text } from '../storage/codec.js';

export const postColumns = columnsOf<Post>()({
  id: text(),
  userId: text(),
  strategyId: nullable(text()),
  text: text(),
  createdAt: integer,
});

export const likeColumns = columnsOf<Like>()({
  postId: text(),
  userId: text(),
  createdAt: integer,
});

export interface SocialTables {
  readonly posts: RowOf<typeof postColumns>;
  readonly likes: RowOf<typeof likeColumns>;
}
