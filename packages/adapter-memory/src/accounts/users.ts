import type { User, UserId } from '@slipstream/domain';
import {
  STORED_BESIDE_TEXT,
  type TokenStore,
  type UserFigures,
  type UserStore,
} from '@slipstream/ports';
import { byNewest, byText, page, pick } from '../storage/order-of-lists.js';
import type { Tables } from '../storage/tables.js';
import { countsAsSubscriber } from '../strategies/strategies.js';

/** Counted each time: the reference for the stored figures of other storages. */
function figuresOf(tables: Tables, userId: UserId): UserFigures {
  const own = tables.strategies
    .values()
    .filter((strategy) => strategy.userId === userId && strategy.deletedAt === null);
  const open = new Set(own.filter((strategy) => !strategy.private).map(({ id }) => id));
  const posts = new Set(
    tables.posts.values().flatMap((post) => (post.userId === userId ? post.id : [])),
  );
  return {
    strategies: own.length,
    publicStrategies: open.size,
    subscribers: tables.subscriptions
      .values()
      .filter((one) => countsAsSubscriber(one) && open.has(one.strategyId)).length,
    posts: posts.size,
    likes: tables.likes.values().filter(({ postId }) => posts.has(postId)).length,
  };
}

/** Counted each time, as the figures are. */
function storedOf({ alerts, posts, keptAnswers, strategies }: Tables, userId: UserId): number {
  const texts = [
    ...alerts.values().map((alert) => ({ ...alert, text: alert.body })),
    ...posts.values(),
    ...keptAnswers.values().map((answer) => ({ ...answer, text: answer.sealedAnswer })),
    ...strategies.values().map((strategy) => ({ ...strategy, text: strategy.description })),
  ].filter((kept) => kept.userId === userId);
  return texts.reduce(
    (sum, { text }) => sum + STORED_BESIDE_TEXT + Buffer.byteLength(text ?? ''),
    0,
  );
}

export const memoryUsers = (tables: Tables): UserStore => {
  const { users, refuse } = tables;
  return {
    find: async (userId) => users.get(userId),
    findByEmail: async (email) => users.values().find((user) => user.email === email),
    findByName: async (nameKey) => users.values().find((user) => user.nameKey === nameKey),
    names: async (userIds) =>
      new Map(
        pick(userIds, (userId) => users.get(userId)).flatMap(({ id, name }) =>
          name === null ? [] : [[id, name] as const],
        ),
      ),
    list: async (userIds) => pick(userIds, (userId) => users.get(userId)),
    page: async (wanted) => {
      const present = users.values().filter(({ deletedAt }) => deletedAt === null);
      return page(present, wanted, (cursor) => users.get(cursor as UserId));
    },
    startingWith: async (start, limit) => {
      const present = users.values().filter(({ deletedAt }) => deletedAt === null);
      const starting = (of: (user: User) => string | null, text: string): User[] =>
        present
          .filter((user) => text !== '' && of(user)?.startsWith(text))
          .toSorted((first, second) => byText(of(first) ?? '', of(second) ?? ''));
      const byAddress = starting(({ email }) => email, start.email);
      const byName = starting(({ nameKey }) => nameKey, start.nameKey);
      return [...new Set([...byAddress, ...byName])].slice(0, limit);
    },
    figures: async (userIds) =>
      new Map(userIds.map((userId) => [userId, figuresOf(tables, userId)])),
    stored: async (userId) => storedOf(tables, userId),
    toConfirmBy: async (now, limit) =>
      users
        .values()
        .flatMap((user) =>
          user.confirmBy !== null && user.confirmBy <= now ? [{ user, by: user.confirmBy }] : [],
        )
        .toSorted((a, b) => a.by - b.by || (a.user.id < b.user.id ? -1 : 1))
        .slice(0, limit)
        .map(({ user }) => user),
    save: async (user) => {
      const others = [...users.values()].filter(({ id }) => id !== user.id);
      if (others.some(({ email }) => email === user.email))
        refuse('another user has this e-mail address');
      if (user.nameKey !== null && others.some(({ nameKey }) => nameKey === user.nameKey))
        refuse('another user has this name');
      users.set(user.id, user);
    },
  };
};

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
