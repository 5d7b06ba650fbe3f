import {
  type BotId,
  type Notification,
  type NotificationType,
  type PostId,
  SAME_NOTICE_WITHIN,
  type StrategyId,
  type UserId,
  type UserNotification,
} from '@slipstream/domain';
import type { Stores } from '@slipstream/ports';
import type { Core } from '../core.js';
import { isMailed, noticeMail } from './mail-texts.js';
import { postMail } from './outgoing-mail.js';
import { accountPage, subjectPage } from './pages.js';

type Needs = Pick<Core, 'ids' | 'clock' | 'secretBox' | 'settings'>;

/** The content of a notification, and its subject. */
export interface Notice {
  readonly userId: UserId;
  /** Each of these types that the user enabled becomes a notification of its own. */
  readonly types: readonly UserNotification[];
  readonly text: string;
  readonly strategyId?: StrategyId;
  readonly postId?: PostId;
  /** The user who caused it: a repeat by them within the hour, about the same strategy or about none, causes no notification. */
  readonly actorId?: UserId;
}

/**
 * Notifies a user, in the transaction of the event (contract 5, "Notifications"): stores a notification of each enabled
 * type, and a mail for the types that are mailed, once the address is confirmed.
 */
export async function notify(
  needs: Needs,
  stores: Pick<Stores, 'users' | 'notifications' | 'mails' | 'events'>,
  notice: Notice,
): Promise<void> {
  const user = await stores.users.find(notice.userId);
  if (!user || user.deletedAt !== null) return;
  const { actorId, strategyId = null } = notice;
  const since = needs.clock.now() - SAME_NOTICE_WITHIN;
  for (const type of notice.types) {
    if (!user.notifications.includes(type)) continue;
    const told = actorId && { userId: user.id, type, actorId, strategyId };
    if (told && (await stores.notifications.wasNotified(told, since))) continue;
    await keepNotification(needs, stores, type, notice);
    if (!isMailed(type) || !user.verified) continue;
    const pages = { subject: subjectPage(needs, notice), way: accountPage(needs) };
    await postMail(needs, stores, user, noticeMail(type, notice.text, pages));
  }
}

type NoticeOfOneType = Omit<Notice, 'types'> & { readonly botId?: BotId };

/** Stores one notification, in the transaction of its event, and publishes it to the streams. */
export async function keepNotification(
  { ids, clock }: Pick<Core, 'ids' | 'clock'>,
  { notifications, events }: Pick<Stores, 'notifications' | 'events'>,
  type: NotificationType,
  { userId, text, strategyId, postId, botId, actorId }: NoticeOfOneType,
): Promise<void> {
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
  await events.add({ kind: 'notification_added', notification, at: notification.createdAt });
}
