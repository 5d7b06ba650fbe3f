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
  remove: async (tokenId) => tokens.delete(tokenId),
});
