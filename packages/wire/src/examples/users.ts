import type { z } from 'zod';
import type {
  notificationResource,
  postResource,
  publicUserResource,
  userExportResource,
} from '../resources/index.js';
import { AT, ids } from './ids.js';
import { aPrivateUser, aStrategy, aSubscription, aToken } from './records.js';

export const aPublicUser: z.infer<typeof publicUserResource> = {
  user_id: ids.user,
  info: { ...aPrivateUser.info, bio: 'Trends, slowly.', website: 'https://ada.example' },
  updated_at: AT,
  created_at: AT,
  post_count: '12',
  like_count: '40',
  subscriber_count: '3',
  strategy_count: '1',
};

export const aNotification: z.infer<typeof notificationResource> = {
  notification_id: ids.notification,
  user_id: ids.user,
  type: 'subscription',
  text: 'Your strategy Momentum has a new subscriber.',
  strategy_id: ids.strategy,
  bot_id: null,
  post_id: null,
  read_at: null,
  created_at: AT,
};

export const aPost: z.infer<typeof postResource> = {
  post_id: ids.post,
  user_id: ids.user,
  strategy_id: ids.strategy,
  text: 'Out of tech until the trend turns.',
  like_count: '4',
  liked: false,
  created_at: AT,
};

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
  alerts: [],
  mails: [],
  next_cursor: null,
};
