import type {
  Bot,
  BotId,
  BotOrder,
  BotOrderId,
  StrategyId,
  Timestamp,
  UserId,
} from '@slipstream/domain';
import type { Page } from '../storage/page.js';

/** How the last check of a bot ended. */
export type LastCheck = 'well' | 'failed';

/** Keeps bots. Absence is `undefined`; `save` adds or replaces. */
export interface BotStore {
  find(botId: BotId): Promise<Bot | undefined>;
  /** Any bot, also one that is off; `undefined` when there is none. */
  any(): Promise<Bot | undefined>;
  /** Newest first, ties by the later id. */
  listOf(userId: UserId): Promise<Bot[]>;
  /**
   * The bots whose `nextRunAt` is at or before `now`, longest due first, ties by id: of those whose last check was well, or of those
   * whose last check failed (`attempts` above 0).
   */
  due(now: Timestamp, limit: number, lastCheck: LastCheck): Promise<readonly BotId[]>;
  /** The bots that have the strategy in their allocations, also those that are off, by id. */
  mirroring(strategyId: StrategyId): Promise<readonly BotId[]>;
  /** The bots of all users that use this brokerage account and are not off, by id. */
  usingAccount(broker: string, accountId: string): Promise<Bot[]>;
  /** The bots of all users that are not off, by id, after that id. */
  notOff(after: BotId | null, limit: number): Promise<Bot[]>;
  save(bot: Bot): Promise<void>;
  /** Removes the bot, its orders and its history. */
  remove(botId: BotId): Promise<void>;
}

/** Keeps the orders that bots decided to place at their brokers. */
export interface BotOrderStore {
  find(botOrderId: BotOrderId): Promise<BotOrder | undefined>;
  /** Newest first, ties by the later id. */
  list(botId: BotId, page: Page): Promise<BotOrder[]>;
  /** The bot's orders made at that moment or later, oldest first, ties by id. */
  since(botId: BotId, from: Timestamp): Promise<readonly BotOrder[]>;
  /** The bot's orders that may still be filled (`isOutstanding`), oldest first, ties by id. */
  outstanding(botId: BotId): Promise<readonly BotOrder[]>;
  save(order: BotOrder): Promise<void>;
}

/** Keeps the accounts of brokers inside this service (the simulated one), as text that only the broker reads. */
export interface BrokerAccountStore {
  find(accountId: string): Promise<string | undefined>;
  /** The ids of all accounts, sorted. */
  list(): Promise<string[]>;
  save(accountId: string, state: string): Promise<void>;
}
