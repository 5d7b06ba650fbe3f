import type { Notification, OutgoingMail } from '@slipstream/domain';
import type { z } from 'zod';
import type { notificationResource } from './resources.js';
import { timeOrNull, timeText } from '../fields/output.js';

/** Without the user who caused it. */
export const presentNotification = (
  notification: Notification,
): z.infer<typeof notificationResource> => ({
  notification_id: notification.id,
  user_id: notification.userId,
  type: notification.type,
  text: notification.text,
  strategy_id: notification.strategyId,
  bot_id: notification.botId,
  post_id: notification.postId,
  read_at: timeOrNull(notification.readAt),
  created_at: timeText(notification.createdAt),
});

/** Without its text, which may contain a code. */
export const presentMail = (mail: OutgoingMail) => ({
  to: mail.to,
  subject: mail.subject,
  failure: mail.failure,
  created_at: timeText(mail.createdAt),
});
