import { type Like, type Post, type UserId, id } from '@slipstream/domain';
import type { LikeStore, PostStore } from '@slipstream/ports';
import { page } from '../storage/order-of-lists.js';
import type { Tables } from '../storage/tables.js';

/** How often each key occurs. */
function tally<Key>(keys: readonly Key[]): Map<Key, number> {
  const counts = new Map<Key, number>();
  for (const key of keys) counts.set(key, (counts.get(key) ?? 0) + 1);
  return counts;
}

const keyOf = ({ postId, userId }: Pick<Like, 'postId' | 'userId'>): string =>
  `${postId} ${userId}`;

export const memoryPosts = ({ posts, likes }: Tables): PostStore => {
  const ofUsers = (userIds: readonly UserId[]): Post[] => {
    const asked = new Set(userIds);
    return posts.values().filter((post) => asked.has(post.userId));
  };

  return {
    find: async (postId) => posts.get(postId),
    list: async (userIds, wanted) =>
      page(ofUsers(userIds), wanted, (cursor) => posts.get(id(cursor))),
    save: async (post) => posts.set(post.id, post),
    remove: async (postId) => {
      posts.delete(postId);
      for (const like of likes.values()) if (like.postId === postId) likes.delete(keyOf(like));
    },
  };
};

export const memoryLikes = ({ posts, likes, refuse }: Tables): LikeStore => ({
  likedBy: async (userId, postIds) =>
    new Set(postIds.filter((postId) => likes.get(keyOf({ postId, userId })))),
  listOf: async (userId, wanted) => {
    const given = likes.values().filter((like) => like.userId === userId);
    const dated = given.map((like) => ({ ...like, id: like.postId }));
    const found = page(dated, wanted, (cursor) => dated.find(({ id }) => id === cursor));
    return found.map(({ id: _, ...like }) => like);
  },
  countOfPosts: async (postIds) => {
    const asked = new Set(postIds);
    return tally(likes.values().flatMap(({ postId }) => (asked.has(postId) ? [postId] : [])));
  },
  save: async (like) => {
    if (!posts.get(like.postId)) refuse('there is no such post');
    likes.set(keyOf(like), like);
  },
  remove: async (postId, userId) => likes.delete(keyOf({ postId, userId })),
});
