import type { Timestamp, Token, TokenId, User, UserId } from '@slipstream/domain';
import type { Page } from '../storage/page.js';

/** Current counts of a user. */
export interface UserFigures {
  /** The user's own strategies that are not deleted. */
  readonly strategies: number;
  readonly publicStrategies: number;
  /** `active` and `past_due` subscribers of the public strategies. */
  readonly subscribers: number;
  readonly posts: number;
  /** Likes of the user's posts. */
  readonly likes: number;
}

/** The beginning of an address and of a name; an empty text begins nothing. */
export interface UserStart {
  readonly email: string;
  readonly nameKey: string;
}

/** The octets that `UserStore.stored` adds to the text of each item. */
export const STORED_BESIDE_TEXT = 1_024;

/** Keeps users. Absence is `undefined`; `save` adds or replaces. */
export interface UserStore {
  find(userId: UserId): Promise<User | undefined>;
  /** By lower-case address. */
  findByEmail(email: string): Promise<User | undefined>;
  /** By `nameKey`. */
  findByName(nameKey: string): Promise<User | undefined>;
  /** The names of those users that have one. */
  names(userIds: readonly UserId[]): Promise<ReadonlyMap<UserId, string>>;
  /** The users that exist, in the order of the ids, each once. */
  list(userIds: readonly UserId[]): Promise<User[]>;
  /** Users that are not deleted, newest first, ties by the later id. An unknown cursor gives an empty list. */
  page(page: Pick<Page, 'limit' | 'cursor'>): Promise<User[]>;
  /** Users that are not deleted whose address starts with `email`, by address; then those whose `nameKey` starts with `nameKey`, by it. */
  startingWith(start: UserStart, limit: number): Promise<User[]>;
  /** Takes the same time however much a user has. Absent means that all counts are zero. */
  figures(userIds: readonly UserId[]): Promise<ReadonlyMap<UserId, UserFigures>>;
  /**
   * The octets stored for a user: each alert's body, each post's text, each kept answer's sealed text, each strategy's description
   * (also deleted ones), and `STORED_BESIDE_TEXT` for each of them. Takes the same time however many there are.
   */
  stored(userId: UserId): Promise<number>;
  /** Users whose `confirmBy` is at or before `now`, earliest first, ties by id. */
  toConfirmBy(now: Timestamp, limit: number): Promise<User[]>;
  /** @throws when another user has the e-mail address or the name. */
  save(user: User): Promise<void>;
}

/** Keeps tokens by id and digest. A removed token is not kept. */
export interface TokenStore {
  find(tokenId: TokenId): Promise<Token | undefined>;
  findByDigest(digest: string): Promise<Token | undefined>;
  /** Newest first, ties by the later id. */
  listOf(userId: UserId): Promise<Token[]>;
  /** Tokens whose end is at or before `now`, longest ended first, ties by id. */
  expired(now: Timestamp, limit: number): Promise<TokenId[]>;
  /**
   * Adds or replaces.
   * @throws when another token has the digest.
   */
  save(token: Token): Promise<void>;
  /** Sets when the token was last used and when it now expires. Does nothing when there is no such token. */
  used(tokenId: TokenId, at: Timestamp | null, expiresAt: Timestamp | null): Promise<void>;
  remove(tokenId: TokenId): Promise<void>;
}
