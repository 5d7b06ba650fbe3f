import type {
  AlertRecord,
  Bot,
  Earning,
  Like,
  Notification,
  OutgoingMail,
  Post,
  Subscription,
  Token,
  User,
  Withdrawal,
} from '@slipstream/domain';
import type { z } from 'zod';
import type {
  notificationResource,
  postResource,
  publicUserResource,
  userExportResource,
} from '../resources/index.js';
import { presentPrivateUser, presentToken } from './account.js';
import { presentAlert } from './alert.js';
import { presentBot } from './bot.js';
import { timeOrNull, timeText } from './output.js';
import {
  presentEarning,
  presentInvoice,
  presentPaymentSource,
  presentWithdrawal,
} from './payment.js';
import { presentStrategy, presentSubscription } from './strategy.js';

/** Spec 2.2. */
export const presentPublicUser = (view: {
  readonly user: User;
  readonly postCount: number;
  readonly likeCount: number;
  readonly subscriberCount: number;
  readonly strategyCount: number;
}): z.infer<typeof publicUserResource> => ({
  user_id: view.user.id,
  info: { ...view.user.profile },
  updated_at: timeText(view.user.updatedAt),
  created_at: timeText(view.user.createdAt),
  post_count: String(view.postCount),
  like_count: String(view.likeCount),
  subscriber_count: String(view.subscriberCount),
  strategy_count: String(view.strategyCount),
});

/** Who caused it stays inside. */
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

const presentOwnPost = (post: Post) => ({
  post_id: post.id,
  user_id: post.userId,
  strategy_id: post.strategyId,
  text: post.text,
  created_at: timeText(post.createdAt),
});

/** A post as its reader may see it. */
export const presentPost = (view: {
  readonly post: Post;
  readonly likeCount: number;
  readonly liked: boolean;
}): z.infer<typeof postResource> => ({
  ...presentOwnPost(view.post),
  like_count: String(view.likeCount),
  liked: view.liked,
});

/** Without its text: it may hold a code. */
const presentMail = (mail: OutgoingMail) => ({
  to: mail.to,
  subject: mail.subject,
  failure: mail.failure,
  created_at: timeText(mail.createdAt),
});

/** getUserExport's answer: records as their reads show them, so without credentials and digests. */
export const presentUserExport = (view: {
  readonly user: User;
  readonly strategies: readonly Parameters<typeof presentStrategy>[0][];
  readonly subscriptions: readonly Subscription[];
  readonly bots: readonly Bot[];
  readonly tokens: readonly Token[];
  readonly posts: readonly Post[];
  readonly likes: readonly Like[];
  readonly notifications: readonly Notification[];
  readonly paymentSources: readonly Parameters<typeof presentPaymentSource>[0][];
  readonly invoices: readonly Parameters<typeof presentInvoice>[0][];
  readonly withdrawals: readonly Withdrawal[];
  readonly earnings: readonly Earning[];
  readonly alerts: readonly AlertRecord[];
  readonly mails: readonly OutgoingMail[];
  readonly nextCursor: string | null;
}): z.infer<typeof userExportResource> => ({
  user: presentPrivateUser(view.user),
  strategies: view.strategies.map(presentStrategy),
  subscriptions: view.subscriptions.map(presentSubscription),
  bots: view.bots.map(presentBot),
  tokens: view.tokens.map(presentToken),
  posts: view.posts.map(presentOwnPost),
  likes: view.likes.map(({ postId, createdAt }) => ({
    post_id: postId,
    created_at: timeText(createdAt),
  })),
  notifications: view.notifications.map(presentNotification),
  payment_sources: view.paymentSources.map(presentPaymentSource),
  invoices: view.invoices.map(presentInvoice),
  withdrawals: view.withdrawals.map(presentWithdrawal),
  earnings: view.earnings.map(presentEarning),
  alerts: view.alerts.map(presentAlert),
  mails: view.mails.map(presentMail),
  next_cursor: view.nextCursor,
});
