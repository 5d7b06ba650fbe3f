import type { Decimal } from '../numbers/decimal.js';
import type {
  BotId,
  BotOrderId,
  HaltId,
  StockId,
  StrategyId,
  Timestamp,
  TradeId,
  UserId,
} from '../ids.js';
import type { Action } from '../trading/order.js';
import type { Following } from './followed-trades.js';
import type { TargetMark } from './history/target-mark.js';
import type { Pace } from './pacing/pace.js';
import type { RebalanceRule } from './pacing/rebalance-rule.js';
import type { Join } from './joining/join.js';
import type { HeldParts } from './holdings/held-part.js';
import type { BotLimits, OnBreach } from './limits/limits.js';
import type { Breach } from './limits/loss-watch.js';
import type { LossWatch } from './limits/watched-account.js';
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

/** The share (fraction, 0 to 2) of a bot's account that follows a strategy. */
export interface BotAllocation {
  readonly strategyId: StrategyId;
  readonly percent: Decimal;
}

/** Whether a bot leaves alone what was in its account before, or takes all of it as its own (contract 10). */
export const EXISTING_POSITIONS = ['keep', 'take_over'] as const;
export type ExistingPositions = (typeof EXISTING_POSITIONS)[number];

/** What a bot may do by its owner's word: everything, only reduce, or nothing (contract 10). */
export const BOT_MODES = ['normal', 'reduce_only', 'paused'] as const;
export type BotMode = (typeof BOT_MODES)[number];

/** Mirrors strategies into one brokerage account (spec 2.7, contract 4). A restart continues from its row. */
export interface Bot {
  readonly id: BotId;
  readonly userId: UserId;
  /** What its owner calls it; null without a name. */
  readonly name: string | null;
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
  /** How much worse than the quote its orders may be filled, as a fraction of it. */
  readonly priceCollar: Decimal;
  /** It sends no order while a stock's spread is wider, as a fraction; null for the service's setting. */
  readonly maxSpread: Decimal | null;
  readonly limits: BotLimits;
  readonly onBreach: OnBreach;
  readonly rebalance: RebalanceRule;
  readonly rebalanceOnStart: boolean;
  readonly closeOnStop: boolean;
  readonly existingPositions: ExistingPositions;
  readonly mode: BotMode;
  /** `new_only` acts from the next start on. */
  readonly join: Join;
  /** The only stocks that it may open or add to; null for all. */
  readonly allowStocks: readonly StockId[] | null;
  /** Stocks that it may not open or add to. */
  readonly denyStocks: readonly StockId[];
  /** It plans on the real account and sends nothing. */
  readonly dryRun: boolean;
  readonly notifications: readonly BotNotification[];
  readonly allocations: readonly BotAllocation[];
  /** The adapter's credentials, sealed; opened only to call the broker. */
  readonly sealedCredentials: string;
  readonly status: BotStatus;
  /** Kept beside the status because `error` can come from either. */
  readonly condition: BotCondition;
  readonly statusReason: string | null;
  /** Why it stopped by itself; kept beside the status reason until it is started again. */
  readonly stopReason: string | null;
  /** The halts that hit it when it last looked; its owner was notified of each. */
  readonly haltsSeen: readonly HaltId[];
  /** When it acts next; null when nothing is due. */
  readonly nextRunAt: Timestamp | null;
  /** When it began to wait for a trade of a mirrored strategy (`rebalance_on_start` false); null when it does not wait. */
  readonly awaitsTradeSince: Timestamp | null;
  /** Whether the present stop closes positions. */
  readonly closesPositions: boolean;
  /** The owner's part and the bot's of each holding; empty until a bot that keeps existing positions saw its account. */
  readonly heldParts: HeldParts;
  /** The trades of mirrored strategies that it has read, and those that it has not followed to the end. */
  readonly following: Following;
  readonly targetMark: TargetMark;
  readonly pace: Pace;
  /** The loss that passed a limit; it stands until the owner acknowledges it. */
  readonly breach: Breach | null;
  /** What its losses are measured against; null until its account was read, and without a limit of losses. */
  readonly lossWatch: LossWatch | null;
  /** Keys of the notices that its owner got today, so that each is sent once. */
  readonly noticesOfDay: readonly string[];
  /** Whether its owner was notified that it came into line, and nothing since made that untrue. */
  readonly isKnownInLine: boolean;
  /** Rebalances and closures begun so far; part of each client order id. */
  readonly cycle: number;
  /** The first cycle of its present account: orders of earlier ones are at accounts that it had before. */
  readonly firstCycle: number;
  /** Failed attempts in a row; the backoff grows with them. */
  readonly attempts: number;
  /** Half the sum of |weight - target weight| over stocks and cash; null until compared. */
  readonly drift: Decimal | null;
  readonly lastRebalancedAt: Timestamp | null;
  readonly createdAt: Timestamp;
  readonly updatedAt: Timestamp;
}

/** `planned` is an order of a dry run. `new` is stored before the broker is called; an `unknown` order must be refreshed by its id before anything else. */
export const BOT_ORDER_STATUSES = [
  'planned',
  'new',
  'unknown',
  'open',
  'filled',
  'cancelled',
  'rejected',
] as const;
export type BotOrderStatus = (typeof BOT_ORDER_STATUSES)[number];

/** Those of orders that may still be filled. One that is `new` may have been sent before a crash. */
export const OUTSTANDING_STATUSES: readonly BotOrderStatus[] = ['new', 'unknown', 'open'];

/** Whether the order may still be filled. */
export const isOutstanding = ({ status }: Pick<BotOrder, 'status'>): boolean =>
  OUTSTANDING_STATUSES.includes(status);

/** An order that a bot decided to place, with its present state. Amounts in the account's own units (shares, coins). */
export interface BotOrder {
  /** The client order id: a hash of bot, cycle and leg, never of the attempt. */
  readonly id: BotOrderId;
  readonly botId: BotId;
  readonly cycle: number;
  readonly stockId: StockId;
  readonly action: Action;
  readonly amount: Decimal;
  /** The worst price that it may be filled at; null for a market order. */
  readonly limitPrice: Decimal | null;
  /** True when it only reduces: the broker may not let it open or turn a position. */
  readonly closes: boolean;
  /** Why the bot wanted it, for people. */
  readonly intent: string;
  /** The trades of mirrored strategies in the stock that it follows, newest first. */
  readonly tradeIds: readonly TradeId[];
  /** Volume-weighted price of those trades; null when it follows none. */
  readonly strategyPrice: Decimal | null;
  /** Our ask (of a buy) or bid when the bot decided on it; null for orders from before it was kept. */
  readonly plannedPrice: Decimal | null;
  readonly status: BotOrderStatus;
  readonly filledAmount: Decimal;
  /** Average market price of the fills; null when there are none. */
  readonly filledPrice: Decimal | null;
  /** What the broker charged for the fills, in USD; null when it does not tell it with the order. */
  readonly fee: Decimal | null;
  /** Why cancelled, rejected or unknown; null otherwise. */
  readonly reason: string | null;
  readonly createdAt: Timestamp;
  readonly updatedAt: Timestamp;
}

/** Whether the order is at the bot's present account, and not at one that it had before. */
export const isOfPresentAccount = (
  { firstCycle }: Pick<Bot, 'firstCycle'>,
  { cycle }: Pick<BotOrder, 'cycle'>,
): boolean => cycle >= firstCycle;

/** A bot in texts for its owner: its name, or its id. */
export const botTitle = ({ id, name }: Pick<Bot, 'id' | 'name'>): string => name ?? id;

/** The reason of the bot's state as text for users: why it stopped by itself, and how that goes on. */
export const reasonOf = ({ stopReason, statusReason }: Bot): string | null =>
  [stopReason, statusReason].filter((reason) => reason !== null).join(' ') || null;

/** The fields that every check of a bot changes, whatever its result. */
const OF_A_LOOK: ReadonlySet<string> = new Set([
  'nextRunAt',
  'awaitsTradeSince',
  'attempts',
  'drift',
  'heldParts',
  'following',
  'targetMark',
  'pace',
  'lossWatch',
  'noticesOfDay',
  'isKnownInLine',
  'lastRebalancedAt',
  'updatedAt',
] satisfies (keyof Bot)[]);

/** Whether a check changed only the bot's bookkeeping: its state and actions stayed the same. */
export function isBookkeeping(before: Bot, after: Bot): boolean {
  const fields = Object.keys(after) as (keyof Bot)[];
  return fields.every((field) => {
    if (OF_A_LOOK.has(field) || before[field] === after[field]) return true;
    return JSON.stringify(before[field]) === JSON.stringify(after[field]);
  });
}
