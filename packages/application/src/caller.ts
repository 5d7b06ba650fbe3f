import type { StrategyId, Timestamp, TokenId, TokenType, UserId } from '@slipstream/domain';

/** Who asks. What a caller may do is in the token's scope; what they may see is up to each use case. */
export type Caller = { readonly kind: 'anonymous' } | { readonly kind: 'operator' } | UserCaller;

/** A user by a valid token. */
export interface UserCaller {
  readonly kind: 'user';
  readonly userId: UserId;
  readonly tokenId: TokenId;
  readonly tokenType: TokenType;
  readonly scope: readonly string[];
  /** When set, only operations that name one of these are allowed. */
  readonly strategyIds: readonly StrategyId[] | null;
  /** When the token ends, as far as is known now; null when it does not. */
  readonly expiresAt: Timestamp | null;
}
