import { BOT_NOTIFICATIONS } from '../mirroring/bot.js';
import type { BotId, NotificationId, PostId, StrategyId, Timestamp, UserId } from '../ids.js';
import { USER_NOTIFICATIONS } from '../accounts/user.js';

/** A notification about a user's money or account. It is always sent, so users cannot turn it off. */
export const ACCOUNT_NOTIFICATION = 'account';

/** A strategy has ended. Its owner and followers are always notified. */
export const STRATEGY_ENDED_NOTIFICATION = 'strategy_ended';

/** A strategy had no alert for as long as its owner set (contract 13): sent while they want the watch. */
export const ALERT_WATCH_NOTIFICATION = 'alert_watch';

/** Every kind of message: those of users (spec 2.3), those of bots (spec 2.7), and those that are always sent. */
export const NOTIFICATION_TYPES = [
  ...USER_NOTIFICATIONS,
  ...BOT_NOTIFICATIONS,
  ACCOUNT_NOTIFICATION,
  STRATEGY_ENDED_NOTIFICATION,
  ALERT_WATCH_NOTIFICATION,
] as const;
export type NotificationType = (typeof NOTIFICATION_TYPES)[number];

/** A message to a user, made with its event, and only if its type is enabled (contract 5) or always sent. */
export interface Notification {
  readonly id: NotificationId;
  readonly userId: UserId;
  readonly type: NotificationType;
  readonly text: string;
  readonly strategyId: StrategyId | null;
  readonly botId: BotId | null;
  readonly postId: PostId | null;
  /** The user who caused it. It is never shown; it prevents repeated notifications of the same thing. */
  readonly actorId: UserId | null;
  readonly createdAt: Timestamp;
  /** When the user marked it as read, else null. */
  readonly readAt: Timestamp | null;
}

/** A repeat by the same user within this time causes no notification; in milliseconds. */
export const SAME_NOTICE_WITHIN = 60 * 60 * 1000;
