import {
  type AccountCode,
  type Notification,
  type OutgoingMail,
  type Post,
  id,
} from '@slipstream/domain';
import { NOON } from './noon.js';

/** `user-1` was told of a like, and has not read it. */
export const aNotification = (overrides: Partial<Notification> = {}): Notification => ({
  id: id('notification-1'),
  userId: id('user-1'),
  type: 'like',
  text: 'Somebody likes your post.',
  strategyId: null,
  botId: null,
  postId: null,
  actorId: null,
  createdAt: NOON,
  readAt: null,
  ...overrides,
});

/** Of `user-1`, about no strategy. */
export const aPost = (overrides: Partial<Post> = {}): Post => ({
  id: id('post-1'),
  userId: id('user-1'),
  strategyId: null,
  text: 'Steady as she goes.',
  createdAt: NOON,
  ...overrides,
});

/** To `user-1`, due at once. */
export const aMail = (overrides: Partial<OutgoingMail> = {}): OutgoingMail => ({
  id: id('mail-1'),
  userId: id('user-1'),
  to: 'user-1@example.com',
  subject: 'A subject',
  sealedText: 'sealed',
  urgency: 1,
  failure: null,
  attempts: 0,
  dueAt: NOON,
  createdAt: NOON,
  ...overrides,
});

/** Of `user-1`; its digest follows from its purpose. */
export const aCode = (overrides: Partial<AccountCode> = {}): AccountCode => ({
  userId: id('user-1'),
  purpose: 'password_reset',
  email: null,
  digest: `digest of ${overrides.purpose ?? 'password_reset'}`,
  createdAt: NOON,
  expiresAt: NOON + 3_600_000,
  ...overrides,
});
