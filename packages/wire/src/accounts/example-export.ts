import type { z } from 'zod';
import { aPost } from '../social/examples.js';
import type { userExportResource } from './export-resource.js';
import { aPrivateUser, aToken } from './examples.js';
import { aStrategy, aSubscription } from '../strategies/examples.js';
import { ids, AT } from '../example-ids.js';
import { aNotification } from '../messages/examples.js';

const { like_count: _count, liked: _liked, ...ownPost } = aPost;

export const aUserExport: z.infer<typeof userExportResource> = {
  user: aPrivateUser,
  strategies: [aStrategy],
  subscriptions: [aSubscription],
  bots: [],
  tokens: [aToken],
  posts: [ownPost],
  likes: [{ post_id: ids.post, created_at: AT }],
  notifications: [aNotification],
  payment_sources: [],
  invoices: [],
  withdrawals: [],
  earnings: [],
  endpoints: [],
  alerts: [],
  mails: [],
  next_cursor: null,
};
