import {
  DAY,
  type Endpoint,
  type GivenTokenLimits,
  MONEY_SCOPES,
  Refusal,
  SESSION_LIFETIME,
  TOKEN_IDLE_LIFETIME,
  type Timestamp,
  type Token,
  type TokenType,
  type UserId,
  grants,
  id,
  isExpired,
  isWhole,
  limitsUnder,
  withDescendants,
} from '@slipstream/domain';
import type { ReadStores, Stores } from '@slipstream/ports';
import { callingToken } from './calling-token.js';
import { countCall } from './guesses.js';
import { endEndpoints } from '../endpoints/end-endpoint.js';
import { requireUser, visibleStrategies } from '../strategies/access.js';
import { requireBelowCap } from '../caps.js';
import type { Caller } from '../caller.js';
import type { Core } from '../core.js';
import { type PageRequest, itemsAfter, pageOf } from '../page.js';
import { notifyOfAccount } from '../messages/notify-of-account.js';

/** The most sign-ins of a user, and the most sessions; a new one replaces the oldest. */
const MAX_SESSIONS = 100;
/** The most tokens per day about which their owner is mailed. */
const MOST_MAILED = 100;

export interface NewToken {
  readonly name: string;
  /** `api` by default; a refresh token makes sessions. */
  readonly type?: 'session' | 'api' | undefined;
  readonly scope: readonly string[];
  /** Undefined means the default of the type, null means never. */
  readonly expiresAt?: Timestamp | null | undefined;
  readonly strategyIds?: readonly string[] | undefined;
  readonly limits?: GivenTokenLimits | undefined;
}

type End = Pick<Token, 'expiresAt' | 'renewedByUse'>;

/** A token made by an api token or a narrow session has at most the scope and strategies of its parent (contract 16). */
function requireNoMore(parent: Token, asked: NewToken): void {
  const beyond = asked.scope.find((name) => !grants(parent, name));
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
}

const later = (): Refusal =>
  new Refusal('invalid_field', 'expires_at must not be later than that of the calling token');

/** The end of a session made now: at the latest that of its sign-in. */
function endOfSession(signIn: Token, asked: Timestamp | null | undefined, now: Timestamp): End {
  if (signIn.type !== 'refresh') {
    throw new Refusal('invalid_field', 'a session token is made by a refresh token only');
  }
  const latest = Math.min(now + SESSION_LIFETIME, signIn.expiresAt ?? Infinity);
  if (asked === null || (asked ?? 0) > now + SESSION_LIFETIME) {
    throw new Refusal('invalid_field', 'expires_at of a session must be within an hour');
  }
  return { expiresAt: Math.min(asked ?? latest, latest), renewedByUse: false };
}

/** The end of an api token made now: by default a year after its last use, or that of its parent. */
function endOfApiToken(
  parent: Token | undefined,
  asked: Timestamp | null | undefined,
  now: Timestamp,
): End {
  const bound = parent?.expiresAt ?? null;
  if (asked !== undefined) {
    if (bound !== null && (asked === null || asked > bound)) throw later();
    return { expiresAt: asked, renewedByUse: false };
  }
  if (bound !== null && parent?.renewedByUse === false) {
    return { expiresAt: bound, renewedByUse: false };
  }
  return { expiresAt: Math.min(now + TOKEN_IDLE_LIFETIME, bound ?? Infinity), renewedByUse: true };
}

/** The parent of a token made by `maker`; undefined if it belongs to the user directly. */
function parentOf(maker: Token, { type = 'api' }: NewToken): Token | undefined {
  return type === 'session' || !isWhole(maker) ? maker : undefined;
}

/** Whether the owner is mailed about the new token: it can spend or move money, and their address is confirmed. */
async function isMailed(
  { users }: Pick<ReadStores, 'users'>,
  { type, userId, scope }: Pick<Token, 'type' | 'userId' | 'scope'>,
): Promise<boolean> {
  if (type !== 'api' || !scope.some((one) => MONEY_SCOPES.includes(one))) return false;
  return (await users.find(userId))?.verified === true;
}

/** Limits the tokens per day about which a mail is sent, because the cap does not count deleted tokens. */
async function countMailed(core: Core, token: Parameters<typeof isMailed>[1]): Promise<void> {
  if (await core.unitOfWork.read((stores) => isMailed(stores, token)))
    await countCall(core, 'newToken', token.userId, { limit: MOST_MAILED, window: DAY });
}

async function notifyOfMoneyToken(core: Core, stores: Stores, token: Token): Promise<void> {
  const { userId, name } = token;
  if (!(await isMailed(stores, token))) return;
  await notifyOfAccount(core, stores, {
    userId,
    subject: 'A new api token',
    text: `An api token that can spend or move money was made for your account: ${oneLine(name)} (${token.id}). If it was not you, delete it and set a new password now.`,
  });
}

/** A name as it appears in a mail. */
const oneLine = (name: string): string => JSON.stringify(name.replace(/\s+/g, ' '));

/** A token as it is shown, once. */
export interface MadeToken {
  readonly token: Token;
  readonly text: string;
}

/** Makes a token for an operation, whose answer `viewOf` makes of it. */
export const tokenFor =
  <View>(core: Core, viewOf: (made: MadeToken) => View) =>
  async (caller: Caller, command: NewToken): Promise<View> => {
    const { unitOfWork, accessTokens, clock, ids, settings } = core;
    const user = requireUser(caller);
    const { userId } = user;
    const now = clock.now();
    const { type = 'api' } = command;
    if (typeof command.expiresAt === 'number' && command.expiresAt <= now) {
      throw new Refusal('invalid_field', 'expires_at must be in the future');
    }
    await countMailed(core, { type, userId, scope: command.scope });
    const { text, digest } = accessTokens.issue(type);
    return unitOfWork.run(async (stores) => {
      const { tokens } = stores;
      const maker = await callingToken(stores, user, now);
      const parent = parentOf(maker, command);
      if (parent && parent.type !== 'refresh') requireNoMore(parent, command);
      const end =
        type === 'session'
          ? endOfSession(maker, command.expiresAt, now)
          : endOfApiToken(parent, command.expiresAt, now);
      const strategyIds = command.strategyIds?.map((one) => id<'strategy'>(one)) ?? null;
      await requireKnown(stores, caller, strategyIds ?? []);
      if (type === 'session') await makeRoom(stores, userId, type);
      if (type === 'api') {
        const all = await tokens.listOf(userId);
        const living = all.filter((other) => other.type === 'api' && !isExpired(other, now));
        requireBelowCap(settings.caps, 'tokens', living.length);
      }
      const token: Token = {
        id: ids.next(),
        userId,
        type,
        name: command.name,
        scope: [...new Set(command.scope)],
        strategyIds,
        limits: limitsUnder(parent?.limits ?? null, command.limits),
        digest,
        parentId: parent?.id ?? null,
        createdAt: now,
        ...end,
        lastUsedAt: null,
      };
      await tokens.save(token);
      await notifyOfMoneyToken(core, stores, token);
      const view = viewOf({ token, text });
      stores.answerWith(view);
      return view;
    });
  };

export const newToken = (core: Core) => tokenFor(core, (made) => made);

async function requireKnown(
  stores: Stores,
  caller: Caller,
  strategyIds: readonly string[],
): Promise<void> {
  const visible = await visibleStrategies(stores, caller, strategyIds);
  const known = new Set<string>(visible.map((one) => one.id));
  const unknown = strategyIds.find((strategyId) => !known.has(strategyId));
  if (unknown !== undefined) throw new Refusal('not_found', `strategy ${unknown} does not exist`);
}

/** Removes the oldest sign-ins (or sessions) so that one more fits. */
export async function makeRoom(
  stores: Pick<Stores, 'tokens' | 'events' | 'endpoints'>,
  userId: UserId,
  type: Exclude<TokenType, 'api'>,
): Promise<void> {
  const some = (await stores.tokens.listOf(userId)).filter((token) => token.type === type);
  const oldest = new Set(some.slice(MAX_SESSIONS - 1).map((token) => token.id));
  if (oldest.size > 0) await revokeTokens(stores, userId, (token) => oldest.has(token.id));
}

/** Removes tokens of the user and all their descendants; their streams are disconnected, and their endpoints end. */
export async function revokeTokens(
  stores: Pick<Stores, 'tokens' | 'events' | 'endpoints'>,
  userId: UserId,
  isRevoked: (token: Token) => boolean,
  reason = 'the token was revoked',
): Promise<void> {
  const { tokens, events } = stores;
  const all = await tokens.listOf(userId);
  const revoked = all.filter(isRevoked).map((token) => token.id);
  const ended = withDescendants(all, revoked);
  for (const tokenId of ended) await tokens.remove(tokenId);
  const isOver = ({ tokenId }: Endpoint): boolean => tokenId !== null && ended.has(tokenId);
  await endEndpoints(stores, userId, isOver, 'its token was revoked');
  await events.add({ kind: 'access_changed', userId, strategyId: null, reason });
}

/** The same, and every endpoint of the user ends: whoever had the account could have added one. */
export async function revokeAccess(
  stores: Pick<Stores, 'tokens' | 'events' | 'endpoints'>,
  userId: UserId,
  isRevoked: (token: Token) => boolean,
  reason: string,
): Promise<void> {
  await revokeTokens(stores, userId, isRevoked, reason);
  await endEndpoints(stores, userId, () => true, reason);
}

/** The caller's valid tokens, newest first. */
export const getTokens =
  ({ unitOfWork, clock }: Core) =>
  async (
    caller: Caller,
    command: PageRequest & { readonly type?: TokenType | undefined } = {},
  ): Promise<Token[]> => {
    const { userId } = requireUser(caller);
    const { type } = command;
    const { limit, cursor } = pageOf(command);
    const all = await unitOfWork.read((stores) => stores.tokens.listOf(userId));
    const now = clock.now();
    return itemsAfter(all, cursor)
      .filter((token) => !isExpired(token, now) && (type === undefined || token.type === type))
      .slice(0, limit);
  };

/** Revokes a token and its descendants. */
export const deleteToken =
  ({ unitOfWork }: Core) =>
  async (caller: Caller, { tokenId }: { readonly tokenId: string }): Promise<void> => {
    const { userId } = requireUser(caller);
    await unitOfWork.run(async (stores) => {
      const token = await stores.tokens.find(id<'token'>(tokenId));
      if (token?.userId !== userId) {
        throw new Refusal('not_found', `token ${tokenId} does not exist`, token !== undefined);
      }
      await revokeTokens(stores, userId, (other) => other.id === token.id);
      stores.answerWith(undefined);
    });
  };
