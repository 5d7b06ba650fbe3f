import type {
  StrategyId,
  Timestamp,
  TokenId,
  TokenLimits,
  TokenType,
  UserId,
} from '@slipstream/domain';

/** The caller of an operation. The token's scope limits the operations; each use case decides which objects the caller may see. */
export type Caller = { readonly kind: 'anonymous' } | { readonly kind: 'operator' } | UserCaller;

/** A user with a valid token. */
export interface UserCaller {
  readonly kind: 'user';
  readonly userId: UserId;
  readonly tokenId: TokenId;
  readonly tokenType: TokenType;
  /** The sign-in that a session token was made from; absent for other tokens. */
  readonly signInId?: TokenId | undefined;
  readonly scope: readonly string[];
  /** If set, only operations that name one of these are allowed. */
  readonly strategyIds: readonly StrategyId[] | null;
  /** Of the token, which has some if a token that it was made from has; null without. */
  readonly limits: TokenLimits | null;
  /** When the token ends, as known now; null if it does not end. */
  readonly expiresAt: Timestamp | null;
}
