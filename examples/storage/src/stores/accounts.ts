import type { User, UserId } from '@slipstream/domain';
import { STORED_BESIDE_TEXT, type Stores } from '@slipstream/ports';
import { type Tables, dueBy, keyOf, newestFirst, pageOf } from '../table.js';
import { counts } from './strategies.js';

type AccountStores = Pick<Stores, 'users' | 'tokens' | 'accountCodes' | 'tallies' | 'plans'>;

/** What a user sent and what is kept for them, each with its text if it has one. */
function textsOf(
  { alerts, posts, keptAnswers, strategies }: Tables,
  userId: UserId,
): (string | null)[] {
  const isOwn = (row: { readonly userId: UserId | null }): boolean => row.userId === userId;
  return [
    ...alerts.where(isOwn).map(({ body }) => body),
    ...posts.where(isOwn).map(({ text }) => text),
    ...keptAnswers.where(isOwn).map(({ sealedAnswer }) => sealedAnswer),
    ...strategies.where(isOwn).map(({ description }) => description),
  ];
}

export const accountStores = (tables: Tables): AccountStores => {
  const { users, tokens, accountCodes, plans, tallies, strategies, subscriptions, posts, likes } =
    tables;
  return {
    users: {
      find: async (userId) => users.get(userId),
      findByEmail: async (email) => users.where((user) => user.email === email)[0],
      findByName: async (nameKey) => users.where((user) => user.nameKey === nameKey)[0],
      names: async (userIds) =>
        new Map(
          [...new Set(userIds)].flatMap((userId) => {
            const name = users.get(userId)?.name ?? null;
            return name === null ? [] : [[userId, name] as const];
          }),
        ),
      list: async (userIds) => {
        const wanted = new Set<string>(userIds);
        return [...wanted].flatMap((userId) => users.get(userId) ?? []);
      },
      page: async (page) =>
        pageOf(
          users.where(() => true),
          page,
          ({ deletedAt }) => deletedAt === null,
        ),
      startingWith: async (start, limit) => {
        const starting = (of: (user: User) => string | null, text: string): User[] =>
          users
            .where((user) => user.deletedAt === null && text !== '' && !!of(user)?.startsWith(text))
            .toSorted((one, other) => ((of(one) ?? '') < (of(other) ?? '') ? -1 : 1));
        const byAddress = starting(({ email }) => email, start.email);
        const byName = starting(({ nameKey }) => nameKey, start.nameKey);
        return [...new Set([...byAddress, ...byName])].slice(0, limit);
      },
      figures: async (userIds) =>
        new Map(
          userIds.flatMap((userId) => {
            const own = strategies.where((one) => one.userId === userId && one.deletedAt === null);
            const shown = new Set(own.filter((one) => !one.private).map((one) => one.id));
            const written = new Set(
              posts.where((one) => one.userId === userId).map(({ id }) => id),
            );
            const figures = {
              strategies: own.length,
              publicStrategies: shown.size,
              subscribers: subscriptions.where((one) => shown.has(one.strategyId) && counts(one))
                .length,
              posts: written.size,
              likes: likes.where((like) => written.has(like.postId)).length,
            };
            return Object.values(figures).some((count) => count > 0)
              ? [[userId, figures] as const]
              : [];
          }),
        ),
      stored: async (userId) => {
        const texts = textsOf(tables, userId);
        const octets = texts.map((text) => Buffer.byteLength(text ?? '') + STORED_BESIDE_TEXT);
        return octets.reduce((sum, one) => sum + one, 0);
      },
      toConfirmBy: async (now, limit) =>
        dueBy(
          users.where(() => true),
          ({ confirmBy }) => confirmBy,
          now,
          limit,
        ),
      save: async (user) => {
        const others = users.where(({ id }) => id !== user.id);
        if (others.some(({ email }) => email === user.email))
          throw new Error('another user has the e-mail address');
        if (user.nameKey !== null && others.some(({ nameKey }) => nameKey === user.nameKey))
          throw new Error('another user has the name');
        users.set(user.id, user);
      },
    },
    tokens: {
      find: async (tokenId) => tokens.get(tokenId),
      findByDigest: async (digest) => tokens.where((token) => token.digest === digest)[0],
      listOf: async (userId) => newestFirst(tokens.where((token) => token.userId === userId)),
      expired: async (now, limit) =>
        dueBy(
          tokens.where(() => true),
          ({ expiresAt }) => expiresAt,
          now,
          limit,
        ).map(({ id }) => id),
      save: async (token) => {
        const [other] = tokens.where(
          ({ id, digest }) => digest === token.digest && id !== token.id,
        );
        if (other) throw new Error('another token has the digest');
        tokens.set(token.id, token);
      },
      used: async (tokenId, lastUsedAt, expiresAt) => {
        const token = tokens.get(tokenId);
        if (token) tokens.set(tokenId, { ...token, lastUsedAt, expiresAt });
      },
      remove: async (tokenId) => tokens.delete(tokenId),
    },
    accountCodes: {
      find: async (digest) => accountCodes.where((code) => code.digest === digest)[0],
      findOf: async (userId, purpose) => accountCodes.get(keyOf(userId, purpose)),
      save: async (code) => accountCodes.set(keyOf(code.userId, code.purpose), code),
      remove: async (userId, purpose) => accountCodes.delete(keyOf(userId, purpose)),
    },
    plans: {
      find: async (planId) => plans.get(planId),
      listOf: async (userId) =>
        newestFirst(plans.where((plan) => plan.userId === userId)).toReversed(),
      expired: async (now, limit) =>
        dueBy(
          plans.where(() => true),
          ({ expiresAt }) => expiresAt,
          now,
          limit,
        ).map(({ id }) => id),
      save: async (plan) => plans.set(plan.id, plan),
      remove: async (planId) => plans.delete(planId),
    },
    tallies: {
      find: async (name) => tallies.get(name),
      expired: async (now, limit) => {
        const named = tallies.where(() => true).map(({ name, endsAt }) => ({ id: name, endsAt }));
        return dueBy(named, ({ endsAt }) => endsAt, now, limit).map(({ id }) => id);
      },
      save: async (tally) => tallies.set(tally.name, tally),
      remove: async (names) => names.forEach((name) => tallies.delete(name)),
    },
  };
};
