import type {
  User,
  Subscription,
  Bot,
  Token,
  Post,
  Like,
  Notification,
  Withdrawal,
  Earning,
  AlertRecord,
  OutgoingMail,
} from '@slipstream/domain';
import type { z } from 'zod';
import { presentStrategy, presentSubscription } from '../strategies/present.js';
import {
  presentPaymentSource,
  presentInvoice,
  presentWithdrawal,
  presentEarning,
} from '../billing/present.js';
import type { userExportResource } from './export-resource.js';
import { presentPrivateUser, presentToken } from './present.js';
import { presentBot } from '../mirroring/present.js';
import { presentOwnPost } from '../social/present.js';
import { timeText } from '../fields/output.js';
import { presentNotification, presentMail } from '../messages/present.js';
import { type ShownEndpoint, presentEndpoint } from '../endpoints/present.js';
import { presentAlert } from '../alerts/present.js';

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
  readonly endpoints: readonly ShownEndpoint[];
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
  endpoints: view.endpoints.map(presentEndpoint),
  alerts: view.alerts.map(presentAlert),
  mails: view.mails.map(presentMail),
  next_cursor: view.nextCursor,
});
