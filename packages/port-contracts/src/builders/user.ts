import { type Token, type User, id } from '@slipstream/domain';
import { NOON } from './noon.js';

/** Its e-mail address follows from its id. */
export const aUser = (overrides: Partial<User> = {}): User => ({
  id: id('user-1'),
  email: `${overrides.id ?? 'user-1'}@example.com`,
  name: null,
  nameKey: null,
  passwordHash: 'hash of secret',
  profile: { bio: '', x: '', website: '', youtube: '', telegram: '' },
  commission: 20,
  notifications: [],
  paymentsEnabled: false,
  verified: true,
  confirmBy: null,
  secondFactor: null,
  devices: [],
  refId: `ref-${overrides.id ?? 'user-1'}`,
  referredBy: null,
  createdAt: NOON,
  updatedAt: NOON,
  deletedAt: null,
  ...overrides,
});

/** An api token for everything; its digest follows from its id. */
export const aToken = (overrides: Partial<Token> = {}): Token => ({
  id: id('token-1'),
  userId: id('user-1'),
  type: 'api',
  name: 'charting platform',
  scope: ['*'],
  strategyIds: null,
  limits: null,
  digest: `digest of ${overrides.id ?? 'token-1'}`,
  parentId: null,
  createdAt: NOON,
  expiresAt: null,
  renewedByUse: false,
  lastUsedAt: null,
  ...overrides,
});
