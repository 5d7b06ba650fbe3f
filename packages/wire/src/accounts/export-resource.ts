import { z } from 'zod';
import { privateUserResource, tokenResource } from './resources.js';
import { strategyResource, subscriptionResource } from '../strategies/resources.js';
import { botResource } from '../mirroring/resources.js';
import { ownPostResource, givenLikeResource } from '../social/resources.js';
import { notificationResource, mailResource } from '../messages/resources.js';
import {
  paymentSourceResource,
  invoiceResource,
  withdrawalResource,
  earningResource,
} from '../billing/resources.js';
import { endpointResource } from '../endpoints/resources.js';
import { alertResource } from '../alerts/resources.js';

/** All stored data of a user, without secrets. */
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
    endpoints: z.array(endpointResource),
    alerts: z.array(alertResource),
    mails: z.array(mailResource),
    next_cursor: z
      .string()
      .nullable()
      .meta({ description: 'The cursor of the next piece; null after the last.' }),
  })
  .meta({ id: 'UserExport' });
