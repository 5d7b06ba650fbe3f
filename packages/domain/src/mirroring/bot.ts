import type { Decimal } from '../numbers/decimal.js';
import type { BotId, BotOrderId, StockId, StrategyId, Timestamp, UserId } from '../ids.js';
import type { Action } from '../trading/order.js';
import type { Security } from '../market/stock.js';

/** The state of a bot, as users see it (spec 2.7). The commands between them are in `bot-transitions.ts`. */
export const BOT_STATUSES = [
  'off',
  'scheduled_rebalance',
  'rebalancing',
  'running',
  'stopping',
  'closing',
  'error',
] as const;
export type BotStatus = (typeof BOT_STATUSES)[number];

/** Whether a bot trades, closes or is off; it stays when the status is `error`. */
export const BOT_CONDITIONS = ['off', 'active', 'closing'] as const;
export type BotCondition = (typeof BOT_CONDITIONS)[number];

/** Kinds of message that a bot sends to its user (spec 2.7). */
export const BOT_NOTIFICATIONS = ['start', 'stop', 'info', 'warning', 'error'] as const;
export type BotNotification = (typeof BOT_NOTIFICATIONS)[number];

/** What share (fraction, 0 to 2) of a bot's account follows a strategy. */
export interface BotAllocation {
  readonly strategyId: StrategyId;
  readonly percent: Decimal;
}

/** Mirrors strategies into one brokerage account (spec 2.7, contract 4). A row: a restart goes on from it. */
export interface Bot {
  readonly id: BotId;
  readonly userId: UserId;
  readonly type: Security;
  /** Name of the broker adapter. */
  readonly broker: string;
  /** The broker's own account identifier. */
  readonly accountId: string;
  /** True when the adapter trades real money. */
  readonly live: boolean;
  readonly leverage: Decimal;
  /** Fraction reserved from cash before increases. */
  readonly slippage: Decimal;
  readonly rebalanceOnStart: boolean;
  readonly closeOnStop: boolean;
  readonly notifications: readonly BotNotification[];
  readonly allocations: readonly BotAllocation[];
  /** What the adapter asked for, sealed; opened only to call the broker. */
  readonly sealedCredentials: string;
  readonly status: BotStatus;
  /** Kept beside the status because `error` can come from either. */
  readonly condition: BotCondition;
  readonly statusReason: string | null;
  /** Why it stopped by itself; kept beside the status reason until it is started again. */
  readonly stopReason: string | null;
  /** When it acts next; null when nothing is due. */
  readonly nextRunAt: Timestamp | null;
  /** Since when it waits for a trade of a mirrored strategy (`rebalance_on_start` false); null when it does not. */
  readonly awaitsTradeSince: Timestamp | null;
  /** Whether the stop that is going on closes positions. */
  readonly closesPositions: boolean;
  /** Rebalances and closures begun so far; part of each client order id. */
  readonly cycle: number;
  /** Failed attempts in a row; the backoff grows with them. */
  readonly attempts: number;
  /** Half the sum of |weight - target weight| over stocks and cash; null until compared. */
  readonly drift: Decimal | null;
  readonly lastRebalancedAt: Timestamp | null;
  readonly createdAt: Timestamp;
  readonly updatedAt: Timestamp;
}

/** `new` is stored before the broker hears of it; `unknown` must be asked for by its id before anything else. */
export const BOT_ORDER_STATUSES = [
  'new',
  'unknown',
  'open',
  'filled',
  'cancelled',
  'rejected',
] as const;
export type BotOrderStatus = (typeof BOT_ORDER_STATUSES)[number];

/** An order that a bot meant for its broker, and what became of it. Amounts in the account's own units (shares, coins). */
export interface BotOrder {
  /** The client order id: a hash of bot, cycle and leg, never of the attempt. */
  readonly id: BotOrderId;
  readonly botId: BotId;
  readonly cycle: number;
  readonly stockId: StockId;
  readonly action: Action;
  readonly amount: Decimal;
  /** Why the bot wanted it, for people. */
  readonly intent: string;
  readonly status: BotOrderStatus;
  readonly filledAmount: Decimal;
  /** Average market price of what is filled; null when nothing is. */
  readonly filledPrice: Decimal | null;
  /** Why cancelled, rejected or unknown; null otherwise. */
  readonly reason: string | null;
  readonly createdAt: Timestamp;
  readonly updatedAt: Timestamp;
}

/** Why it is as it is, for people: why it stopped by itself, and how that goes on. */
export const reasonOf = ({ stopReason, statusReason }: Bot): string | null =>
  [stopReason, statusReason].filter((reason) => reason !== null).join(' ') || null;

/** What changes when a bot is looked at, whatever was found. */
const OF_A_LOOK: readonly string[] = [
  'nextRunAt',
  'awaitsTradeSince',
  'attempts',
  'drift',
  'lastRebalancedAt',
  'updatedAt',
] satisfies (keyof Bot)[];

/** Whether a bot was looked at and nothing more: what it is and does stayed as it was. */
export function isBookkeeping(before: Bot, after: Bot): boolean {
  const rest = (bot: Bot): string =>
    JSON.stringify(Object.entries(bot).filter(([field]) => !OF_A_LOOK.includes(field)));
  return rest(before) === rest(after);
}
