import {
  CODE_LIFETIMES,
  DEFAULT_NOTIFICATIONS,
  Refusal,
  SIGN_IN_LIFETIME,
  type Timestamp,
  type Token,
  type User,
  type UserId,
  id,
  isExpired,
  type SessionView,
} from '@slipstream/domain';
import { unauthenticated } from './calling-token.js';
import { EMPTY_PROFILE } from './users.js';
import { requireUser } from '../strategies/access.js';
import type { Stores } from '@slipstream/ports';
import type { Caller } from '../caller.js';
import { isConfirmed } from './confirmed-address.js';
import type { Core } from '../core.js';
import { signedInFrom } from './known-device.js';
import { type AccountNotice, notifyOfAccount } from '../messages/notify-of-account.js';
import {
  countMailOfStranger,
  isProvenBy,
  requirePassword,
  requireSecondFactor,
} from './proof-of-owner.js';
import { mailConfirmation } from './email-confirmation.js';
import { requireUncommon } from './passwords.js';
import { makeRoom } from './tokens.js';

/** The scope of a refresh token. */
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

/** The caller with this token. Without a text the caller is anonymous; a text that is not a valid token is refused. */
export const authenticate =
  ({ unitOfWork, accessTokens, clock, tokenUse }: Core) =>
  async (text: string | undefined): Promise<Caller> => {
    if (text === undefined) return ANONYMOUS;
    const digest = accessTokens.digest(text);
    if (digest === undefined) throw unauthenticated();
    const token = await unitOfWork.read((stores) => stores.tokens.findByDigest(digest));
    const now = clock.now();
    if (!token || isExpired(token, now)) throw unauthenticated();
    tokenUse.note(token.id, now);
    return {
      kind: 'user',
      userId: token.userId,
      tokenId: token.id,
      tokenType: token.type,
      signInId: token.type === 'session' ? (token.parentId ?? undefined) : undefined,
      scope: token.scope,
      strategyIds: token.strategyIds,
      limits: token.limits,
      expiresAt: token.expiresAt,
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

/** A new user, without a profile. Without a hash nobody can sign in with a password. */
const freshUser = ({
  id,
  email,
  passwordHash = '',
  referredBy = null,
  confirmBy = null,
  now,
}: {
  readonly id: UserId;
  readonly email: string;
  readonly passwordHash?: string;
  readonly referredBy?: UserId | null;
  readonly confirmBy?: Timestamp | null;
  readonly now: Timestamp;
}): User => ({
  id,
  email: email.toLowerCase(),
  passwordHash,
  name: null,
  nameKey: null,
  profile: EMPTY_PROFILE,
  commission: DEFAULT_COMMISSION,
  notifications: DEFAULT_NOTIFICATIONS,
  paymentsEnabled: false,
  verified: false,
  confirmBy,
  secondFactor: null,
  devices: [],
  refId: id,
  referredBy,
  createdAt: now,
  updatedAt: now,
  deletedAt: null,
});

/** Makes a user and mails them a link that confirms their address. */
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
    requireUncommon(core, 'password', command.password);
    if (caller.kind !== 'operator') await countMailOfStranger(core, 'newUser');
    const passwordHash = await passwords.hash(command.password);
    const referredBy = command.refId === undefined ? null : id<'user'>(command.refId);
    const now = clock.now();
    const confirmBy =
      settings.confirmEmail === 'required' ? now + CODE_LIFETIMES.email_confirmation : null;
    const user = freshUser({
      id: ids.next(),
      email: command.email,
      passwordHash,
      referredBy,
      confirmBy,
      now,
    });
    await unitOfWork.run(async (stores) => {
      const { users } = stores;
      if (await users.findByEmail(user.email)) {
        const message =
          'a user with this email exists; a new password gives it to its owner (newPasswordReset)';
        throw new Refusal('conflict', message);
      }
      const referrer = referredBy && (await users.find(referredBy));
      if (referredBy && referrer?.deletedAt !== null) {
        throw new Refusal('not_found', `no user has the referral code ${referredBy}`);
      }
      await users.save(user);
      await mailConfirmation(core, stores, user);
      stores.answerWith(user);
    });
    return user;
  };

/**
 * An api token for a user by their address, for a host that owns the database: it requires no password. With `createUser`
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
      const user = found ?? freshUser({ id: ids.next(), email, now });
      if (!found) await users.save(user);
      const issued: Token = {
        id: ids.next(),
        userId: user.id,
        type: 'api',
        name: command.name,
        scope: [...new Set(command.scope)],
        strategyIds: null,
        limits: null,
        digest,
        parentId: null,
        createdAt: now,
        expiresAt: null,
        renewedByUse: false,
        lastUsedAt: null,
      };
      await tokens.save(issued);
      return issued;
    });
    return { token, text };
  };

/** Mails a new confirmation link at sign-in, if confirmation is required and no link is valid. */
async function askToConfirm(core: Core, stores: Stores, user: User): Promise<void> {
  if (await isConfirmed(core, stores, user.id)) return;
  const link = await stores.accountCodes.findOf(user.id, 'email_confirmation');
  if (!link || link.expiresAt <= core.clock.now()) await mailConfirmation(core, stores, user);
}

const signInNotice = (userId: UserId): AccountNotice => ({
  userId,
  subject: 'A sign-in from a new device',
  text: 'Somebody signed in to your account from a program or a network that it was not signed in from before. If it was not you, set a new password now: that ends every session and token.',
});

export const newSession =
  (core: Core) =>
  async (
    _caller: Caller,
    {
      email,
      password,
      totp,
    }: {
      readonly email: string;
      readonly password: string;
      /** A code of the second factor, or a recovery code, if the second factor is on. */
      readonly totp?: string | undefined;
    },
  ): Promise<SessionView> => {
    const { unitOfWork, accessTokens, clock, ids } = core;
    const user = await unitOfWork.read((stores) => stores.users.findByEmail(email.toLowerCase()));
    // An unknown address takes as long as a wrong password, so that the time reveals nothing.
    await requirePassword(core, user ?? email.toLowerCase(), password, unauthenticated);
    if (!user) throw unauthenticated();
    await requireSecondFactor(core, user, totp, unauthenticated);
    const { text, digest } = accessTokens.issue('refresh');
    const now = clock.now();
    const expiresAt = now + SIGN_IN_LIFETIME;
    const tokenId = ids.next<'token'>();
    await unitOfWork.run(async (stores) => {
      const fresh = await stores.users.find(user.id);
      // The password or second factor was changed meanwhile, so the proof no longer counts.
      if (!fresh || !isProvenBy(user, fresh)) throw unauthenticated();
      const from = signedInFrom(core, fresh, now);
      if (from.user !== fresh) await stores.users.save(from.user);
      await makeRoom(stores, user.id, 'refresh');
      await stores.tokens.save({
        id: tokenId,
        userId: user.id,
        type: 'refresh',
        name: 'session',
        scope: SESSION_SCOPE,
        strategyIds: null,
        limits: null,
        digest,
        parentId: null,
        createdAt: now,
        expiresAt,
        renewedByUse: false,
        lastUsedAt: null,
      });
      await askToConfirm(core, stores, user);
      if (from.isNews) await notifyOfAccount(core, stores, signInNotice(user.id));
    });
    return { token: text, tokenId, userId: user.id, expiresAt };
  };
