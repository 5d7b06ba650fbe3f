import { type Notification, Refusal, type UserId, id } from '@slipstream/domain';
import type { Stores } from '@slipstream/ports';
import { requireUser } from '../strategies/access.js';
import type { Caller } from '../caller.js';
import type { Core } from '../core.js';
import { type PageRequest, pageOf } from '../page.js';

/** The caller's notifications, newest first. */
export const getNotifications =
  ({ unitOfWork }: Core) =>
  async (caller: Caller, command: PageRequest): Promise<Notification[]> => {
    const { userId } = requireUser(caller);
    return unitOfWork.read((stores) => stores.notifications.list(userId, pageOf(command)));
  };

const isUnread = ({ readAt }: Notification): boolean => readAt === null;

async function ownNotifications(
  { notifications }: Pick<Stores, 'notifications'>,
  userId: UserId,
  notificationIds: readonly string[],
): Promise<Notification[]> {
  const found = await notifications.find(
    userId,
    notificationIds.map((text) => id<'notification'>(text)),
  );
  const known = new Set<string>(found.map((notification) => notification.id));
  const unknown = notificationIds.find((text) => !known.has(text));
  if (unknown === undefined) return found;
  throw new Refusal('not_found', `notification ${unknown} does not exist`);
}

/** Marks the named notifications as read, or all. Returns how many were unread. */
export const readNotifications =
  ({ unitOfWork, clock }: Core) =>
  async (
    caller: Caller,
    { notificationIds }: { readonly notificationIds?: readonly string[] | undefined },
  ): Promise<number> => {
    const { userId } = requireUser(caller);
    const readAt = clock.now();
    return unitOfWork.run(async (stores) => {
      const { notifications } = stores;
      const found = notificationIds
        ? (await ownNotifications(stores, userId, notificationIds)).filter(isUnread)
        : await notifications.unread(userId);
      for (const notification of found) await notifications.save({ ...notification, readAt });
      stores.answerWith(found.length);
      return found.length;
    });
  };
