import type { UserId } from '@slipstream/domain';
import type { NotificationStore } from '@slipstream/ports';
import { byNewest, page, pick } from '../storage/order-of-lists.js';
import type { Tables } from '../storage/tables.js';

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
    wasNotified: async ({ userId, type, actorId, strategyId }, since) =>
      ofUser(userId).some(
        (one) =>
          one.type === type &&
          one.actorId === actorId &&
          one.strategyId === strategyId &&
          one.createdAt > since,
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
