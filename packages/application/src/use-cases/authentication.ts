import {
  Refusal,
  type Timestamp,
  type Token,
  type User,
  type UserId,
  id,
} from '@slipstream/domain';
import { requireUser, visibleStrategies } from '../access.js';
import { requireBelowCap } from '../caps.js';
import type { Caller } from '../caller.js';
import type { Core } from '../core.js';
import { keepAnswer } from '../keep-answer.js';
import type { SessionView } from '../views.js';
import { mailConfirmation } from './email-confirmation.js';

/** A refresh token lives 30 days (contract 5). */
const SESSION_LENGTH = 30 * 24 * 60 * 60 * 1000;

/** All that a refresh token may do. */
export const SESSION_SCOPE = [
  'newToken',
  'getTokens',
  'deleteToken',
  'verifyToken',
  'updatePassword',
] as const;

/** The service's share of a subscription's price, in whole percent (contract 2). */
const DEFAULT_COMMISSION = 20;

const ANONYMOUS: Caller = { kind: 'anonymous' };

const unauthenticated = (): Refusal => new Refusal('unauthenticated', 'the token is not valid');

/** Who the text of a token belongs to; no text is anonymous, any other that is not a living token is refused. */
export const authenticate =
  ({ unitOfWork, accessTokens, clock }: Core) =>
  async (text: string | undefined): Promise<Caller> => {
    if (text === undefined) return ANONYMOUS;
    const digest = accessTokens.digest(text);
    if (digest === undefined) throw unauthenticated();
    const token = await unitOfWork.read((stores) => stores.tokens.findByDigest(digest));
    if (!token || (token.expiresAt !== null && token.expiresAt <= clock.now()))
      throw unauthenticated();
    return {
      kind: 'user',
      userId: token.userId,
      tokenId: token.id,
      tokenType: token.type,
      scope: token.scope,
      strategyIds: token.strategyIds,
    };
  };

export const verifyToken =
  ({ unitOfWork }: Core) =>
  async (caller: Caller): Promise<Token> => {
    const { tokenId } = requireUser(caller);
    const token = await unitOfWork.read((stores) => stores.tokens.find(tokenId));
    if (!token) throw unauthenticated();
    return token;
  };

/** A user as they begin: no profile, no notifications. Without a hash nobody can sign in with a password. */
const freshUser = (
  userId: UserId,
  email: string,
  passwordHash: string,
  referredBy: UserId | null,
  now: Timestamp,
): User => ({
  id: userId,
  email: email.toLowerCase(),
  passwordHash,
  profile: { bio: '', x: '', website: '', youtube: '', telegram: '' },
  commission: DEFAULT_COMMISSION,
  notifications: [],
  paymentsEnabled: false,
  verified: false,
  refId: userId,
  referredBy,
  createdAt: now,
  updatedAt: now,
  deletedAt: null,
});

/** Makes a user and mails them a link to confirm their address by. */
export const newUser =
  (core: Core) =>
  async (
    caller: Caller,
    command: {
      readonly email: string;
      readonly password: string;
      readonly refId?: string | undefined;
    },
  ): Promise<User> => {
    const { unitOfWork, passwords, clock, ids, settings } = core;
    if (settings.signup === 'closed' && caller.kind !== 'operator') {
      throw new Refusal('signup_closed', 'sign-up is closed on this server');
    }
    const passwordHash = await passwords.hash(command.password);
    const referredBy = command.refId === undefined ? null : id<'user'>(command.refId);
    const user = freshUser(ids.next(), command.email, passwordHash, referredBy, clock.now());
    await unitOfWork.run(async (stores) => {
      const { users } = stores;
      if (await users.findByEmail(user.email)) {
        throw new Refusal('conflict', 'a user with this email exists');
      }
      const referrer = referredBy && (await users.find(referredBy));
      if (referredBy && referrer?.deletedAt !== null) {
        throw new Refusal('not_found', `no user has the referral code ${referredBy}`);
      }
      await users.save(user);
      await mailConfirmation(core, stores, user);
      await keepAnswer(stores, user);
    });
    return user;
  };

/**
 * An api token for a user by their address, for a host that owns the database: no password is asked. With `createUser`
 * an unknown address becomes a user that has no password.
 */
export const issueToken =
  ({ unitOfWork, accessTokens, clock, ids }: Core) =>
  async (command: {
    readonly email: string;
    readonly name: string;
    readonly scope: readonly string[];
    readonly createUser: boolean;
  }): Promise<{ readonly token: Token; readonly text: string }> => {
    const { text, digest } = accessTokens.issue('api');
    const email = command.email.toLowerCase();
    const now = clock.now();
    const token = await unitOfWork.run(async ({ users, tokens }) => {
      const found = await users.findByEmail(email);
      if (!found && !command.createUser) {
        throw new Refusal('not_found', `no user has the address ${email}`);
      }
      const user = found ?? freshUser(ids.next(), email, '', null, now);
      if (!found) await users.save(user);
      const issued: Token = {
        id: ids.next(),
        userId: user.id,
        type: 'api',
        name: command.name,
        scope: [...new Set(command.scope)],
        strategyIds: null,
        digest,
        createdAt: now,
        expiresAt: null,
      };
      await tokens.save(issued);
      return issued;
    });
    return { token, text };
  };

export const newSession =
  ({ unitOfWork, passwords, accessTokens, clock, ids }: Core) =>
  async (
    _caller: Caller,
    { email, password }: { readonly email: string; readonly password: string },
  ): Promise<SessionView> => {
    const user = await unitOfWork.read((stores) => stores.users.findByEmail(email.toLowerCase()));
    // An unknown address takes as long as a wrong password, so that neither tells which it was.
    const matches = await passwords.verify(user?.passwordHash ?? '', password);
    if (!user || !matches) throw unauthenticated();
    const { text, digest } = accessTokens.issue('refresh');
    const now = clock.now();
    const expiresAt = now + SESSION_LENGTH;
    const tokenId = ids.next<'token'>();
    await unitOfWork.run(({ tokens }) =>
      tokens.save({
        id: tokenId,
        userId: user.id,
        type: 'refresh',
        name: 'session',
        scope: SESSION_SCOPE,
        strategyIds: null,
        digest,
        createdAt: now,
        expiresAt,
      }),
    );
    return { token: text, tokenId, userId: user.id, expiresAt };
  };

export interface NewToken {
  readonly name: string;
  readonly scope: readonly string[];
  readonly expiresAt?: Timestamp | undefined;
  readonly strategyIds?: readonly string[] | undefined;
}

/** An api token gives at most its own scope, strategies and lifetime (contract 5, "Tokens"). */
function requireNoMore(parent: Token, asked: NewToken, expiresAt: Timestamp | null): void {
  const beyond = asked.scope.find(
    (name) => !parent.scope.includes(name) && !parent.scope.includes('*'),
  );
  if (beyond !== undefined) {
    throw new Refusal('invalid_field', `scope ${beyond} is more than the calling token has`);
  }
  const { strategyIds } = parent;
  if (
    strategyIds &&
    !asked.strategyIds?.every((other) => strategyIds.some((own) => own === other))
  ) {
    throw new Refusal('invalid_field', 'strategy_ids must be among those of the calling token');
  }
  if (parent.expiresAt !== null && (expiresAt === null || expiresAt > parent.expiresAt)) {
    throw new Refusal(
      'invalid_field',
      'expires_at must not be later than that of the calling token',
    );
  }
}

export const newToken =
  ({ unitOfWork, accessTokens, clock, ids, settings }: Core) =>
  async (
    caller: Caller,
    command: NewToken,
  ): Promise<{ readonly token: Token; readonly text: string }> => {
    const { userId, tokenId } = requireUser(caller);
    const now = clock.now();
    const expiresAt = command.expiresAt ?? null;
    if (expiresAt !== null && expiresAt <= now) {
      throw new Refusal('invalid_field', 'expires_at must be in the future');
    }
    const { text, digest } = accessTokens.issue('api');
    const token: Token = {
      id: ids.next(),
      userId,
      type: 'api',
      name: command.name,
      scope: [...new Set(command.scope)],
      strategyIds: command.strategyIds?.map((strategyId) => id<'strategy'>(strategyId)) ?? null,
      digest,
      createdAt: now,
      expiresAt,
    };
    await unitOfWork.run(async (stores) => {
      const { tokens } = stores;
      const parent = await tokens.find(tokenId);
      if (!parent) throw unauthenticated();
      const living = (await tokens.listOf(userId)).filter(
        (other) => other.type === 'api' && (other.expiresAt ?? Infinity) > now,
      );
      requireBelowCap(settings.caps, 'tokens', living.length);
      if (parent.type === 'api') requireNoMore(parent, command, expiresAt);
      const visible = await visibleStrategies(stores, caller, token.strategyIds ?? []);
      const known = new Set(visible.map((one) => one.id));
      const unknown = token.strategyIds?.find((strategyId) => !known.has(strategyId));
      if (unknown !== undefined) {
        throw new Refusal('not_found', `strategy ${unknown} does not exist`);
      }
      await tokens.save(token);
      await keepAnswer(stores, { token, text });
    });
    return { token, text };
  };

export const getTokens =
  ({ unitOfWork }: Core) =>
  async (caller: Caller): Promise<Token[]> => {
    const { userId } = requireUser(caller);
    return unitOfWork.read((stores) => stores.tokens.listOf(userId));
  };

/** Revokes a token; streams that it opened are cut off. */
export const deleteToken =
  ({ unitOfWork, events }: Core) =>
  async (caller: Caller, { tokenId }: { readonly tokenId: string }): Promise<void> => {
    const { userId } = requireUser(caller);
    await unitOfWork.run(async (stores) => {
      const { tokens } = stores;
      const token = await tokens.find(id<'token'>(tokenId));
      if (token?.userId !== userId) {
        throw new Refusal('not_found', `token ${tokenId} does not exist`, token !== undefined);
      }
      await tokens.remove(token.id);
      await keepAnswer(stores, undefined);
    });
    events.publish({
      kind: 'access_changed',
      userId,
      strategyId: null,
      reason: 'the token was revoked',
    });
  };
