import { BOT_NOTIFICATIONS } from '../mirroring/bot.js';
import type { BotId, NotificationId, PostId, StrategyId, Timestamp, UserId } from '../ids.js';
import { USER_NOTIFICATIONS } from '../accounts/user.js';

/** What touches a user's money or account: told always, so it is not among the types that a user chooses. */
export const ACCOUNT_NOTIFICATION = 'account';

/** A strategy is over: told to its owner and its followers always. */
export const STRATEGY_ENDED_NOTIFICATION = 'strategy_ended';

/** Every kind of message: a user's own (spec 2.3), their bots' (spec 2.7), and those that are told always. */
export const NOTIFICATION_TYPES = [
  ...USER_NOTIFICATIONS,
  ...BOT_NOTIFICATIONS,
  ACCOUNT_NOTIFICATION,
  STRATEGY_ENDED_NOTIFICATION,
] as const;
export type NotificationType = (typeof NOTIFICATION_TYPES)[number];

/** A message to a user, made when what it tells happened, and only if its type was enabled (contract 5) or is told always. */
export interface Notification {
  readonly id: NotificationId;
  readonly userId: UserId;
  readonly type: NotificationType;
  readonly text: string;
  readonly strategyId: StrategyId | null;
  readonly botId: BotId | null;
  readonly postId: PostId | null;
  /** Who caused it; kept so that the same thing is not told again and again, never shown. */
  readonly actorId: UserId | null;
  readonly createdAt: Timestamp;
  /** Null until the user said so. */
  readonly readAt: Timestamp | null;
}

/** Somebody who does the same thing again within this time is not told again, in milliseconds. */
export const SAME_NOTICE_WITHIN = 60 * 60 * 1000;
