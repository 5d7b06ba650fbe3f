import type { z } from 'zod';
import type {
  publicUserResource,
  tokenResource,
  sessionResource,
  privateUserResource,
} from './resources.js';
import { ids, AT } from '../example-ids.js';

export const aToken: z.infer<typeof tokenResource> = {
  token_id: ids.token,
  user_id: ids.user,
  holder: ids.user,
  type: 'api',
  name: 'My alerts',
  scope: ['newOrder'],
  limits: null,
  strategy_ids: [ids.strategy],
  parent_id: null,
  created_at: AT,
  expires_at: '2027-01-30T14:30:00.000Z',
  renewed_by_use: true,
  last_used_at: null,
};

export const aSession: z.infer<typeof sessionResource> = {
  token: 'the token, shown once',
  token_id: ids.token,
  user_id: ids.user,
  expires_at: '2026-03-01T14:30:00.000Z',
};

export const aPrivateUser: z.infer<typeof privateUserResource> = {
  user_id: ids.user,
  name: 'Ada',
  email: 'ada@example.com',
  info: { bio: '', x: '', website: '', youtube: '', telegram: '' },
  commission: 20,
  notifications: ['subscription'],
  payments_enabled: false,
  verified: false,
  second_factor: false,
  ref_id: 'ada-4f7c',
  updated_at: AT,
  created_at: AT,
};

export const aPublicUser: z.infer<typeof publicUserResource> = {
  user_id: ids.user,
  name: 'Ada',
  info: { ...aPrivateUser.info, bio: 'Trends, slowly.', website: 'https://ada.example' },
  updated_at: AT,
  created_at: AT,
  post_count: '12',
  like_count: '40',
  subscriber_count: '3',
  strategy_count: '1',
};
