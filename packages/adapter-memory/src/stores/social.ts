import type { Like, Post, UserId } from '@slipstream/domain';
import type { LikeStore, NotificationStore, PostStore } from '@slipstream/ports';
import { byNewest, page, pick } from '../order-of-lists.js';
import type { Tables } from '../tables.js';

export const memoryNotifications = ({ notifications }: Tables): NotificationStore => {
  const ofUser = (userId: UserId) =>
    notifications.values().filter((notification) => notification.userId === userId);

  return {
    find: async (userId, notificationIds) =>
      pick(notificationIds, (notificationId) => notifications.get(notificationId)).filter(
        (notification) => notification.userId === userId,
      ),
    list: async (userId, wanted) =>
      page(ofUser(userId), wanted, (cursor) => ofUser(userId).find(({ id }) => id === cursor)),
    unread: async (userId) =>
      ofUser(userId)
        .filter(({ readAt }) => readAt === null)
        .toSorted(byNewest),
    told: async (userId, type, actorId, since) =>
      ofUser(userId).some(
        (told) => told.type === type && told.actorId === actorId && told.createdAt > since,
      ),
    save: async (notification) => notifications.set(notification.id, notification),
    beyond: async (userId, keep, limit) =>
      ofUser(userId)
        .toSorted(byNewest)
        .slice(keep, keep + limit)
        .map(({ id }) => id),
    remove: async (userId, notificationIds) => {
      for (const { id } of ofUser(userId))
        if (notificationIds?.includes(id) ?? true) notifications.delete(id);
    },
  };
};

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
      page(ofUsers(userIds), wanted, (cursor) => ofUsers(userIds).find(({ id }) => id === cursor)),
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
