import type { Timestamp, Token, TokenId, User, UserId } from '@slipstream/domain';

/** What a user has by now. */
export interface UserFigures {
  /** Own strategies that are not deleted. */
  readonly strategies: number;
  readonly publicStrategies: number;
  /** `active` and `past_due` subscribers of the public ones. */
  readonly subscribers: number;
  readonly posts: number;
  /** Likes that the posts received. */
  readonly likes: number;
}

/** What every thing that `UserStore.stored` counts takes beside its text, in octets. */
export const STORED_BESIDE_TEXT = 1_024;

/** Keeps users. Absence is `undefined`; `save` adds or replaces. */
export interface UserStore {
  find(userId: UserId): Promise<User | undefined>;
  /** By lower-case address. */
  findByEmail(email: string): Promise<User | undefined>;
  /** Those that exist, in the order of the ids, each once. */
  list(userIds: readonly UserId[]): Promise<User[]>;
  /** Costs the same however much a user has. Absent means none of anything. */
  figures(userIds: readonly UserId[]): Promise<ReadonlyMap<UserId, UserFigures>>;
  /**
   * The octets that are kept of what a user sent: of each alert its body, each post its text, each kept answer what is sealed,
   * each strategy (deleted ones too) its description, and `STORED_BESIDE_TEXT` for each of them. Costs the same however many.
   */
  stored(userId: UserId): Promise<number>;
  /** Whose `confirmBy` is at or before `now`, earliest first, ties by id. */
  toConfirmBy(now: Timestamp, limit: number): Promise<User[]>;
  /** @throws when another user has the e-mail address. */
  save(user: User): Promise<void>;
}

/** Keeps tokens by id and digest. A removed one is gone. */
export interface TokenStore {
  find(tokenId: TokenId): Promise<Token | undefined>;
  findByDigest(digest: string): Promise<Token | undefined>;
  /** Newest first, ties by the later id. */
  listOf(userId: UserId): Promise<Token[]>;
  /** Whose end is at or before `now`, longest ended first, ties by id. */
  expired(now: Timestamp, limit: number): Promise<TokenId[]>;
  /**
   * Adds or replaces.
   * @throws when another token has the digest.
   */
  save(token: Token): Promise<void>;
  /** Notes when a token was last used and until when that keeps it; nothing when there is no such token. */
  used(tokenId: TokenId, at: Timestamp | null, expiresAt: Timestamp | null): Promise<void>;
  remove(tokenId: TokenId): Promise<void>;
}
