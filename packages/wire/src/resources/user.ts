import { NOTIFICATION_TYPES } from '@slipstream/domain';
import { z } from 'zod';
import { privateUserResource, profileResource, tokenResource } from './account.js';
import { alertResource } from './alert.js';
import { botResource } from './bot.js';
import { decimalOut, idOut, timestampOut } from './output.js';
import {
  earningResource,
  invoiceResource,
  paymentSourceResource,
  withdrawalResource,
} from './payment.js';
import { strategyResource, subscriptionResource } from './strategy.js';

/** Spec 2.2. */
export const publicUserResource = z
  .object({
    user_id: idOut,
    info: profileResource,
    updated_at: timestampOut,
    created_at: timestampOut,
    post_count: decimalOut,
    like_count: decimalOut,
    subscriber_count: decimalOut,
    strategy_count: decimalOut,
  })
  .meta({ id: 'PublicUser' });

/** A message to the user; what it is about is null where it is about none. */
export const notificationResource = z
  .object({
    notification_id: idOut,
    user_id: idOut,
    type: z.enum(NOTIFICATION_TYPES),
    text: z.string(),
    strategy_id: idOut.nullable(),
    bot_id: idOut.nullable(),
    post_id: idOut.nullable(),
    read_at: timestampOut.nullable(),
    created_at: timestampOut,
  })
  .meta({ id: 'Notification' });

/** A post of a timeline (spec 2.9). */
export const postResource = z
  .object({
    post_id: idOut,
    user_id: idOut,
    strategy_id: idOut.nullable().meta({
      description: 'Null also when the caller may not see the strategy.',
    }),
    text: z.string(),
    like_count: decimalOut,
    liked: z.boolean().meta({ description: 'Whether the caller likes it.' }),
    created_at: timestampOut,
  })
  .meta({ id: 'Post' });

const givenLikeResource = z.object({ post_id: idOut, created_at: timestampOut });
const ownPostResource = postResource.omit({ like_count: true, liked: true });

/** A mail to the user that is on its way or could not be delivered. */
const mailResource = z.object({
  to: z.string(),
  subject: z.string(),
  failure: z.string().nullable().meta({ description: 'Why it is not tried any more.' }),
  created_at: timestampOut,
});

/** Everything that is kept of a user, without secrets. */
export const userExportResource = z
  .object({
    user: privateUserResource,
    strategies: z.array(strategyResource),
    subscriptions: z.array(subscriptionResource),
    bots: z.array(botResource),
    tokens: z.array(tokenResource),
    posts: z.array(ownPostResource),
    likes: z.array(givenLikeResource),
    notifications: z.array(notificationResource),
    payment_sources: z.array(paymentSourceResource),
    invoices: z.array(invoiceResource),
    withdrawals: z.array(withdrawalResource),
    earnings: z.array(earningResource),
    alerts: z.array(alertResource),
    mails: z.array(mailResource),
    next_cursor: z
      .string()
      .nullable()
      .meta({ description: 'Asks for the next piece; null after the last.' }),
  })
  .meta({ id: 'UserExport' });
