import type { StrategyId, Timestamp, TokenId, UserId } from '../ids.js';
import { HOUR, DAY } from '../time.js';
import type { TokenLimits } from './token-limits.js';

/** `refresh` is a sign-in; `session` is made from one and ends with it; `api` is for programs. */
export const TOKEN_TYPES = ['refresh', 'session', 'api'] as const;
export type TokenType = (typeof TOKEN_TYPES)[number];

/** A user's credential; only the digest of its text is stored (contract 5, "Tokens"). */
export interface Token {
  readonly id: TokenId;
  readonly userId: UserId;
  readonly type: TokenType;
  readonly name: string;
  /** Operation names, or `*` for all. */
  readonly scope: readonly string[];
  /** When set, the token works only for operations that name one of these strategies. */
  readonly strategyIds: readonly StrategyId[] | null;
  /** Also bound the tokens made from it, whose increases count as its own; null without limits. */
  readonly limits: TokenLimits | null;
  /** Hex SHA-256 of the token's text. */
  readonly digest: string;
  /** The token that it ends with; null when it depends on the user alone. */
  readonly parentId: TokenId | null;
  readonly createdAt: Timestamp;
  readonly expiresAt: Timestamp | null;
  /** True if each use postpones the expiry: the token expires after `TOKEN_IDLE_LIFETIME` without use. */
  readonly renewedByUse: boolean;
  /** To the minute; null before the first use. */
  readonly lastUsedAt: Timestamp | null;
}

/** A refresh token lives 30 days (contract 5). */
export const SIGN_IN_LIFETIME = 30 * DAY;
/** A session token lives an hour at most (contract 16). */
export const SESSION_LIFETIME = HOUR;
/** An api token made without an expiry expires after this time without use. */
export const TOKEN_IDLE_LIFETIME = 365 * DAY;

/** Operations that `*` of an api token does not include: they let money leave, so a scope must name them (contract 16). */
export const ONLY_BY_NAME: readonly string[] = ['newWithdrawal', 'newPaymentSource'];

/** With one of these an api token can spend, pay out or trade a brokerage account, so its owner is notified. */
export const MONEY_SCOPES: readonly string[] = [
  '*',
  ...ONLY_BY_NAME,
  'newStrategySubscription',
  'retryInvoice',
  'newBot',
  'updateBot',
  'startBot',
];

/** Whether a token of that type and scope may use the operation. The rights of a refresh token do not depend on its scope. */
export const grants = (
  { type, scope }: Pick<Token, 'type' | 'scope'>,
  operation: string,
): boolean =>
  scope.includes(operation) ||
  (scope.includes('*') && (type === 'session' || !ONLY_BY_NAME.includes(operation)));

/** Whether the token has all rights of its kind. The tokens that it makes then depend on the user alone. */
export const isWhole = ({ type, scope, strategyIds, limits }: Token): boolean =>
  type === 'refresh' ||
  (type === 'session' && scope.includes('*') && strategyIds === null && limits === null);

/** False for a token without an end. */
export const isExpired = ({ expiresAt }: Pick<Token, 'expiresAt'>, now: Timestamp): boolean =>
  expiresAt !== null && expiresAt <= now;

/** The ids of the named tokens of a user, and of all tokens that end with them. */
export function withDescendants(
  tokens: readonly Pick<Token, 'id' | 'parentId'>[],
  named: readonly TokenId[],
): ReadonlySet<TokenId> {
  const ended = new Set(named);
  for (let before = -1; before !== ended.size;) {
    before = ended.size;
    for (const { id, parentId } of tokens) if (parentId && ended.has(parentId)) ended.add(id);
  }
  return ended;
}
