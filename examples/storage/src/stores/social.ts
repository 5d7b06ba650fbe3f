import type { Stores } from '@slipstream/ports';
import { type Tables, keyOf, newestFirst, oldestFirst, pageOf } from '../table.js';

type SocialStores = Pick<Stores, 'notifications' | 'mails' | 'posts' | 'likes'>;

export const socialStores = ({ notifications, mails, posts, likes }: Tables): SocialStores => {
  const notificationsOf = (userId: string) => notifications.where((one) => one.userId === userId);
  return {
    notifications: {
      find: async (userId, ids) =>
        [...new Set(ids)].flatMap((id) => {
          const found = notifications.get(id);
          return found?.userId === userId ? [found] : [];
        }),
      list: async (userId, page) => pageOf(notificationsOf(userId), page),
      unread: async (userId) =>
        newestFirst(notificationsOf(userId).filter(({ readAt }) => readAt === null)),
      wasNotified: async ({ userId, type, actorId, strategyId }, since) =>
        notificationsOf(userId).some(
          (one) =>
            one.type === type &&
            one.actorId === actorId &&
            one.strategyId === strategyId &&
            one.createdAt > since,
        ),
      save: async (notification) => notifications.set(notification.id, notification),
      beyond: async (userId, keep, limit) =>
        newestFirst(notificationsOf(userId))
          .slice(keep)
          .slice(0, limit)
          .map(({ id }) => id),
      remove: async (userId, ids) => {
        for (const { id } of notificationsOf(userId))
          if (ids === undefined || ids.includes(id)) notifications.delete(id);
      },
    },
    mails: {
      due: async (now, limit) =>
        mails
          .where(({ dueAt }) => dueAt <= now)
          .sort(
            (one, other) =>
              one.urgency - other.urgency ||
              one.dueAt - other.dueAt ||
              (one.id < other.id ? -1 : 1),
          )
          .slice(0, limit),
      listOf: async (userId) => oldestFirst(mails.where((mail) => mail.userId === userId)),
      save: async (mail) => mails.set(mail.id, mail),
      remove: async (mailId) => mails.delete(mailId),
    },
    posts: {
      find: async (postId) => posts.get(postId),
      list: async (userIds, page) =>
        pageOf(
          posts.where(() => true),
          page,
          ({ userId }) => userIds.includes(userId),
        ),
      save: async (post) => posts.set(post.id, post),
      remove: async (postId) => {
        posts.delete(postId);
        for (const like of likes.where((one) => one.postId === postId))
          likes.delete(keyOf(postId, like.userId));
      },
    },
    likes: {
      likedBy: async (userId, postIds) =>
        new Set(postIds.filter((postId) => likes.get(keyOf(postId, userId)) !== undefined)),
      listOf: async (userId, page) => {
        const own = likes.where((like) => like.userId === userId);
        const listed = own.map((like) => ({ id: like.postId, createdAt: like.createdAt, like }));
        return pageOf(listed, page).map(({ like }) => like);
      },
      countOfPosts: async (postIds) => {
        const counted = postIds.map(
          (id) => [id, likes.where(({ postId }) => postId === id).length] as const,
        );
        return new Map(counted.filter(([, count]) => count > 0));
      },
      save: async (like) => {
        if (!posts.get(like.postId)) throw new Error(`there is no post ${like.postId}`);
        likes.set(keyOf(like.postId, like.userId), like);
      },
      remove: async (postId, userId) => likes.delete(keyOf(postId, userId)),
    },
  };
};
