import {
  type Bot,
  type BotId,
  type BotNotification,
  type Notification,
  type NotificationType,
  type PostId,
  SAME_NOTICE_WITHIN,
  type StrategyId,
  type UserId,
  type UserNotification,
} from '@slipstream/domain';
import type { Ports, Stores } from '@slipstream/ports';
import type { Core } from '../core.js';
import { isMailed, noticeMail } from './mail-texts.js';
import { postMail } from './outgoing-mail.js';

type Needs = Pick<Core, 'ids' | 'clock' | 'secretBox'>;

/** Something that a user is to be told, and what it is about. */
export interface Notice {
  readonly userId: UserId;
  /** Those of these types that the user enabled are told, each as a notification of its own. */
  readonly types: readonly UserNotification[];
  readonly text: string;
  readonly strategyId?: StrategyId;
  readonly postId?: PostId;
  /** Whose doing it was: that they did it again within the hour is not told again. */
  readonly actorId?: UserId;
}

/**
 * Tells a user, inside the unit of work of what is told (contract 5, "Notifications"): stores a notification of each
 * enabled type, and a mail for those that go by mail, once the address is confirmed. After the commit `publishNotifications` takes what this answers.
 */
export async function notify(
  needs: Needs,
  stores: Pick<Stores, 'users' | 'notifications' | 'mails'>,
  notice: Notice,
): Promise<Notification[]> {
  const user = await stores.users.find(notice.userId);
  if (!user || user.deletedAt !== null) return [];
  const { actorId } = notice;
  const since = needs.clock.now() - SAME_NOTICE_WITHIN;
  const told: Notification[] = [];
  for (const type of notice.types) {
    if (!user.notifications.includes(type)) continue;
    if (actorId && (await stores.notifications.told(user.id, type, actorId, since))) continue;
    told.push(await keepNotification(needs, stores, type, notice));
    if (isMailed(type) && user.verified)
      await postMail(needs, stores, user, noticeMail(type, notice.text));
  }
  return told;
}

type Told = Omit<Notice, 'types'> & { readonly botId?: BotId };

/** Stores one notification, inside the unit of work of what it tells. */
export async function keepNotification(
  { ids, clock }: Pick<Core, 'ids' | 'clock'>,
  { notifications }: Pick<Stores, 'notifications'>,
  type: NotificationType,
  { userId, text, strategyId, postId, botId, actorId }: Told,
): Promise<Notification> {
  const notification: Notification = {
    id: ids.next(),
    userId,
    type,
    text,
    strategyId: strategyId ?? null,
    botId: botId ?? null,
    postId: postId ?? null,
    actorId: actorId ?? null,
    createdAt: clock.now(),
    readAt: null,
  };
  await notifications.save(notification);
  return notification;
}

/** After the commit: tells the streams of what `notify` stored. */
export function publishNotifications(
  { events }: Pick<Core, 'events'>,
  notifications: readonly Notification[],
): void {
  for (const notification of notifications) {
    events.publish({ kind: 'notification_added', notification, at: notification.createdAt });
  }
}

/** Tells the owner of a bot which one it was, in a unit of work of its own. Whether the bot has the kind enabled was asked before. */
export const notifyOfBot =
  (core: Needs & Pick<Ports, 'unitOfWork' | 'events'>) =>
  async ({ id: botId, userId }: Bot, type: BotNotification, text: string): Promise<void> => {
    const told = await core.unitOfWork.run((stores) =>
      keepNotification(core, stores, type, { userId, text: `Bot ${botId}: ${text}`, botId }),
    );
    publishNotifications(core, [told]);
  };
