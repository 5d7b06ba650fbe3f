import type { TokenStore, UserStore } from '@slipstream/ports';
import { byNewest, pick } from '../order-of-lists.js';
import type { Tables } from '../tables.js';

export const memoryUsers = ({ users, refuse }: Tables): UserStore => ({
  find: async (userId) => users.get(userId),
  findByEmail: async (email) => users.values().find((user) => user.email === email),
  list: async (userIds) => pick(userIds, (userId) => users.get(userId)),
  save: async (user) => {
    const taken = users.values().some(({ id, email }) => email === user.email && id !== user.id);
    if (taken) refuse('another user has this e-mail address');
    users.set(user.id, user);
  },
});

export const memoryTokens = ({ tokens, refuse }: Tables): TokenStore => ({
  find: async (tokenId) => tokens.get(tokenId),
  findByDigest: async (digest) => tokens.values().find((token) => token.digest === digest),
  listOf: async (userId) =>
    tokens
      .values()
      .filter((token) => token.userId === userId)
      .toSorted(byNewest),
  save: async (token) => {
    const taken = tokens
      .values()
      .some(({ id, digest }) => digest === token.digest && id !== token.id);
    if (taken) refuse('another token has this digest');
    tokens.set(token.id, token);
  },
  expired: async (now, limit) =>
    tokens
      .values()
      .flatMap(({ id, expiresAt }) =>
        expiresAt !== null && expiresAt <= now ? [{ id, expiresAt }] : [],
      )
      .toSorted((a, b) => a.expiresAt - b.expiresAt || (a.id < b.id ? -1 : 1))
      .slice(0, limit)
      .map(({ id }) => id),
  used: async (tokenId, lastUsedAt, expiresAt) => {
    const token = tokens.get(tokenId);
    if (token) tokens.set(tokenId, { ...token, lastUsedAt, expiresAt });
  },
  remove: async (tokenId) => tokens.delete(tokenId),
});
