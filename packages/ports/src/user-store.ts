import type { Token, TokenId, User, UserId } from '@slipstream/domain';

/** Keeps users. Absence is `undefined`; `save` adds or replaces. */
export interface UserStore {
  find(userId: UserId): Promise<User | undefined>;
  /** By lower-case address. */
  findByEmail(email: string): Promise<User | undefined>;
  list(userIds: readonly UserId[]): Promise<User[]>;
  /** Throws when another user has the e-mail address. */
  save(user: User): Promise<void>;
}

/** Keeps tokens by id and digest. A removed one is gone. */
export interface TokenStore {
  find(tokenId: TokenId): Promise<Token | undefined>;
  findByDigest(digest: string): Promise<Token | undefined>;
  /** Newest first. */
  listOf(userId: UserId): Promise<Token[]>;
  save(token: Token): Promise<void>;
  remove(tokenId: TokenId): Promise<void>;
}
