import type { StrategyId, Timestamp, TokenId, UserId } from '../ids.js';
import { HOUR, DAY } from '../time.js';

/** `refresh` is a sign-in; `session` is made from one and ends with it; `api` is for programs. */
export const TOKEN_TYPES = ['refresh', 'session', 'api'] as const;
export type TokenType = (typeof TOKEN_TYPES)[number];

/** A credential of a user; of its text only the digest is known (contract 5, "Tokens"). */
export interface Token {
  readonly id: TokenId;
  readonly userId: UserId;
  readonly type: TokenType;
  readonly name: string;
  /** Operation names, or `*` for all. */
  readonly scope: readonly string[];
  /** When set, it works only for operations that name one of these. */
  readonly strategyIds: readonly StrategyId[] | null;
  /** Hex SHA-256 of the token's text. */
  readonly digest: string;
  /** The token it ends with; null when it hangs on the user alone. */
  readonly parentId: TokenId | null;
  readonly createdAt: Timestamp;
  readonly expiresAt: Timestamp | null;
  /** Each use puts the end off: it expires when it was not used for `TOKEN_IDLE_LIFETIME`. */
  readonly renewedByUse: boolean;
  /** To the minute; null before the first use. */
  readonly lastUsedAt: Timestamp | null;
}

/** A refresh token lives 30 days (contract 5). */
export const SIGN_IN_LIFETIME = 30 * DAY;
/** A session token lives an hour at most (contract 16). */
export const SESSION_LIFETIME = HOUR;
/** An api token that was made without an end expires when it was not used for so long. */
export const TOKEN_IDLE_LIFETIME = 365 * DAY;

/** Operations that `*` of a lasting token leaves out: they let money leave, so they must be named (contract 16). */
export const ONLY_BY_NAME: readonly string[] = ['newWithdrawal', 'newPaymentSource'];

/** With one of these a lasting token can spend, pay out or trade somebody's account: its owner is told of it. */
export const MONEY_SCOPES: readonly string[] = [
  '*',
  ...ONLY_BY_NAME,
  'newStrategySubscription',
  'retryInvoice',
  'newBot',
  'updateBot',
  'startBot',
];

/** Whether a token of that type and scope may use the operation. What a refresh token may is no matter of scope. */
export const grants = (
  { type, scope }: Pick<Token, 'type' | 'scope'>,
  operation: string,
): boolean =>
  scope.includes(operation) ||
  (scope.includes('*') && (type === 'session' || !ONLY_BY_NAME.includes(operation)));

/** Whether the token gives as much as its asker: what it makes then hangs on the user. */
export const isWhole = ({ type, scope, strategyIds }: Token): boolean =>
  type === 'refresh' || (type === 'session' && scope.includes('*') && strategyIds === null);

/** False for a token without an end. */
export const isExpired = ({ expiresAt }: Pick<Token, 'expiresAt'>, now: Timestamp): boolean =>
  expiresAt !== null && expiresAt <= now;

/** The ids of those named among the tokens of a user, and of all that end with them. */
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
