import type { AccountBucket, BotId, Timestamp } from '@slipstream/domain';

/** Keeps the histories of the accounts of bots in buckets. A bot's buckets never overlap, and each has its own start. */
export interface BotHistoryStore {
  /** The buckets that end after `from`, oldest first. */
  list(botId: BotId, from: Timestamp): Promise<AccountBucket[]>;
  /** The buckets that start before that time after the last one of `length` or more, oldest first. */
  shorterBefore(botId: BotId, before: Timestamp, length: number): Promise<AccountBucket[]>;
  last(botId: BotId): Promise<AccountBucket | undefined>;
  /** Adds the bucket, or replaces the one with the same start. */
  save(botId: BotId, bucket: AccountBucket): Promise<void>;
  remove(botId: BotId, starts: readonly Timestamp[]): Promise<void>;
}
