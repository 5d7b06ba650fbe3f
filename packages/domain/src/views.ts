import type { StockId, StrategyId, UserId, Timestamp } from './ids.js';
import type { User } from './accounts/user.js';
import type { Invoice } from './billing/invoice.js';
import type { Withdrawal } from './billing/payment.js';
import type { QuotedStock } from './market/stock.js';
import type { Decimal } from './numbers/decimal.js';
import type { OutgoingMail } from './messages/mail.js';
import type { BotStatus } from './mirroring/bot.js';
import type { Halt } from './mirroring/halt.js';
import type { OwnerTrades } from './performance/owner-trades.js';
import type { Basis, SegmentReason } from './performance/segments.js';
import type { TimeframeFigures } from './performance/timeframes.js';
import type { StrategyState } from './strategies/below-zero.js';
import type { Strategy } from './strategies/strategy.js';
import type { Position } from './trading/book.js';
import type { Buffer } from './trading/buffer.js';
import type { Order, Trade, WaitingReason } from './trading/order.js';

/** An order with its stock, as it is now. */
export interface OrderView extends QuotedStock {
  readonly order: Order;
  /** Null unless open. */
  readonly waitingReason: WaitingReason | null;
}

/** A position with its stock, valued now. */
export interface PositionView extends QuotedStock {
  readonly position: Position;
  /** Signed, normalized; null while its quote is missing. */
  readonly value: Decimal | null;
  /** Fraction of strategy_value; null if that is unavailable or not positive. */
  readonly percent: Decimal | null;
  readonly unrealized: Decimal | null;
}

/** getPositions' answer (contract 2). */
export interface PositionsView {
  readonly strategyId: StrategyId;
  readonly strategyValue: Decimal | null;
  readonly cash: Decimal;
  readonly version: number;
  readonly positions: readonly PositionView[];
}

/** A segment of a strategy's record (contract 8); fractions of its own first value. */
export interface SegmentView {
  readonly start: Timestamp;
  /** Null while it goes on. */
  readonly end: Timestamp | null;
  readonly basis: Basis;
  readonly reason: SegmentReason;
  readonly startValue: Decimal;
  /** From the last value before to `startValue`; it counts nowhere. Null in the first segment. */
  readonly jump: Decimal | null;
  /** Null while the value is unavailable, or if it was not positive at the start. */
  readonly return: Decimal | null;
  readonly maxDrawdown: Decimal;
  /** The worst drawdown of earlier segments of the same kind; null without one. */
  readonly earlierMaxDrawdown: Decimal | null;
}

/** A strategy as a caller who may see it reads it. */
export interface StrategyView {
  readonly strategy: Strategy;
  /** The name of the owner; null without one. */
  readonly ownerName: string | null;
  /** Now, normalized; null while a quote is missing. */
  readonly value: Decimal | null;
  /** Whole days of the segment that goes on. */
  readonly ageDays: number;
  readonly subscriberCount: number;
  readonly timeframes: readonly TimeframeFigures[];
  /** Oldest first. */
  readonly segments: readonly SegmentView[];
  /** Null unless nine tenths are known to be the owner's own trades. */
  readonly ownerTrades: OwnerTrades | null;
  /** Present only for the owner. */
  readonly invitedUserIds?: readonly UserId[];
}

/** A strategy in a user's own figures (contract 2, "Calculation"). */
export interface CalculationView {
  readonly strategyId: StrategyId;
  readonly inputValue: Decimal;
  readonly inputDate: Timestamp;
  readonly inputMultiplier: Decimal;
  /** Now, normalized. */
  readonly strategyValue: Decimal;
  /** Now, displayed. */
  readonly value: Decimal;
  /** Since the date, a fraction. */
  readonly percentChange: Decimal;
  /** Displayed; null for a caller who may not see positions. */
  readonly positions:
    | readonly {
        readonly stockId: StockId;
        readonly amount: Decimal;
        readonly value: Decimal | null;
      }[]
    | null;
}

/** The parts of an alert template. */
export interface AlertTemplateView {
  readonly strategyId: StrategyId;
  readonly stockId: StockId;
  readonly leverage: Decimal;
  readonly pyramiding: number | null;
  /** The token with which it is sent; null if the user has to put one in. */
  readonly token: string | null;
}

/** A fill with the symbol of its stock. */
export interface TradeView extends Trade {
  readonly symbol: string;
}

/** Null while a quote is missing. */
export interface StrategyValueView {
  readonly strategyId: StrategyId;
  readonly strategyValue: Decimal | null;
  readonly state: StrategyState;
}

/** A new session with its token. */
export interface SessionView {
  /** Shown once. */
  readonly token: string;
  readonly tokenId: string;
  readonly userId: UserId;
  readonly expiresAt: Timestamp;
}

/** getMaxOrderSize's answer: `price` market, `amount` and `total` normalized. */
export interface MaxOrderSizeView {
  readonly strategyId: StrategyId;
  readonly stockId: StockId;
  readonly action: 'buy' | 'sell';
  readonly slippage: Decimal;
  readonly price: Decimal;
  readonly amount: Decimal;
  readonly total: Decimal;
}

/** The expected effects of a request (contract 3, "Previews"). */
export interface PlanPreviewView {
  readonly orders: readonly OrderView[];
  readonly skipped: readonly { readonly stockId: StockId; readonly reason: string }[];
  /** The buffer that sized each target, normalized cash. */
  readonly buffers: readonly { readonly stockId: StockId; readonly buffer: Buffer }[];
  readonly strategyValue: Decimal | null;
}

/** A source of quotes, as far as readers see it. */
export interface FeedView {
  readonly name: string;
  /** Milliseconds; null if it was never heard. */
  readonly age: number | null;
  readonly healthy: boolean;
}

/** getServiceInfo's answer (contract 17). */
export interface ServiceInfoView {
  readonly name: string;
  readonly version: string;
  readonly basis: Basis;
  readonly feeds: readonly FeedView[];
  readonly signup: 'open' | 'closed';
  readonly payments: 'simulated' | 'real';
  readonly brokers: readonly BrokerInfo[];
  readonly disclosure: string;
  /** Whether all trading is halted. */
  readonly halted: boolean;
}

/** A broker that bots of this service may use. */
export interface BrokerInfo {
  readonly name: string;
  /** Whether it trades real money. */
  readonly live: boolean;
  /** Whether accounts can be connected on its own page. */
  readonly connects: boolean;
}

/** Counts over all users. */
export interface ServiceCounts {
  /** Those that are not deleted. */
  readonly users: number;
  /** Those that are not deleted. */
  readonly strategies: number;
  /** Every status, also without any bot. */
  readonly bots: Readonly<Record<BotStatus, number>>;
  /** Mails that are not tried again, as long as they are kept. */
  readonly failedMails: number;
  /** Invoices and withdrawals whose status is `failed`. */
  readonly failedPayments: number;
}

/** The newest mails that are not tried again, and the newest invoices and withdrawals whose status is `failed`. */
export interface ServiceFailures {
  readonly mails: readonly OutgoingMail[];
  readonly invoices: readonly Invoice[];
  readonly withdrawals: readonly Withdrawal[];
}

/** An account as the operator sees it; it has no secret. */
export interface ListedUser {
  readonly user: User;
  readonly strategies: number;
  /** Followers of the public strategies. */
  readonly subscribers: number;
  /** Whether a halt of the user, or of all trading, stops the user's bots. */
  readonly isHalted: boolean;
}

/** getOverview's answer (contract 17). */
export interface OverviewView extends ServiceCounts {
  readonly failures: ServiceFailures;
  readonly feeds: readonly FeedView[];
  /** Bytes; null while unknown, and without a disk. */
  readonly diskFree: number | null;
  /** The newest first. */
  readonly halts: readonly Halt[];
}
