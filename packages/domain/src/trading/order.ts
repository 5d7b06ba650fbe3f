import type { Decimal } from '../numbers/decimal.js';
import type { OrderId, StockId, StrategyId, Timestamp, TradeId } from '../ids.js';
import type { FillSource } from '../market/source.js';

/** The types of order (spec 2.6); `order-types/` has the rules of each. */
export const ORDER_TYPES = ['market', 'limit', 'stop_market', 'stop_limit', 'oco'] as const;
export type OrderType = (typeof ORDER_TYPES)[number];

/** The direction of an order; amounts are positive. */
export const ACTIONS = ['buy', 'sell'] as const;
export type Action = (typeof ACTIONS)[number];

/** `open` is the only status that changes: a `cancelled` order was withdrawn on request, a `rejected` one could not execute. */
export const ORDER_STATUSES = ['open', 'filled', 'cancelled', 'rejected'] as const;
export type OrderStatus = (typeof ORDER_STATUSES)[number];

/** When and at which price an order executes; all prices are market prices (spec 2.6). */
export type Pricing =
  | { readonly type: 'market' }
  | { readonly type: 'limit'; readonly price: Decimal }
  | { readonly type: 'stop_market'; readonly stopPrice: Decimal }
  | { readonly type: 'stop_limit'; readonly price: Decimal; readonly stopPrice: Decimal }
  | { readonly type: 'oco'; readonly price: Decimal; readonly stopPrice: Decimal };

/** The prices that an order can have: a limit and a stop. */
export const PRICE_NAMES = ['price', 'stopPrice'] as const;
export type PriceName = (typeof PRICE_NAMES)[number];

/** `amount` fixes the quantity, `total` the cash; both normalized (spec 2.6). */
export type Size =
  | { readonly by: 'amount'; readonly amount: Decimal }
  | { readonly by: 'total'; readonly total: Decimal };

/**
 * The limit that bounds the order: by `newOrder` 2x gross exposure at the fill, planned 2.2x (contract 3). `exit` is an
 * alert's partial exit: the next exit starts from the holding that it would have left (contract 7b.3).
 */
export type ExposureRule = 'order' | 'plan' | 'exit';

/** An order as its owner requests it, before it has an id. */
export interface OrderRequest {
  readonly stockId: StockId;
  readonly action: Action;
  readonly pricing: Pricing;
  readonly size: Size;
  /** Prerequisites: the order waits while any of them is open. */
  readonly dependsOn: readonly OrderId[];
  /** Cut to the holding when it fills, cancelled when flat. */
  readonly reduceOnly: boolean;
  readonly origin: ExposureRule;
}

/** A request that has its id: dependents in the same batch refer to it. */
export interface IdentifiedRequest extends OrderRequest {
  readonly id: OrderId;
}

interface Identified extends OrderRequest {
  readonly id: OrderId;
  readonly strategyId: StrategyId;
  readonly createdAt: Timestamp;
  /** When its stop was touched; null until then. */
  readonly triggeredAt: Timestamp | null;
}

/** An accepted order that waits for a prerequisite, an open market, a quote or its price. */
export interface OpenOrder extends Identified {
  readonly status: 'open';
  /** Since when its limit price rests in the market unfilled; null while it has not met a quote (contract 3, "Fills"). */
  readonly restingSince: Timestamp | null;
}

/** An order that has traded, all at once. */
export interface FilledOrder extends Identified {
  readonly status: 'filled';
  readonly closedAt: Timestamp;
  /** Market price; null in an order of amount 0, which answers an alert that trades nothing: no price was paid. */
  readonly filledPrice: Decimal | null;
  readonly filledAmount: Decimal;
  /** Gross: quantity x price, normalized. */
  readonly filledTotal: Decimal;
  readonly feeTotal: Decimal;
  /** Why less was filled than requested, as text for users; null when it was not reduced. */
  readonly reason: string | null;
}

/** An order that ended without a trade. */
export interface WithdrawnOrder extends Identified {
  readonly status: 'cancelled' | 'rejected';
  readonly closedAt: Timestamp;
  /** Why, for people. */
  readonly reason: string;
}

/** An order that never changes again. */
export type ClosedOrder = FilledOrder | WithdrawnOrder;
/** An order in any status. */
export type Order = OpenOrder | ClosedOrder;

/** The reasons why an open order waits; it names the first that applies (contract 2). */
export const WAITING_REASONS = ['dependency', 'market_closed', 'quote', 'price'] as const;
export type WaitingReason = (typeof WAITING_REASONS)[number];

/** One fill (contract 2). `total` is gross; `rounding` is the rest from the division of a total order, never negative. */
export interface Trade extends FillSource {
  readonly id: TradeId;
  readonly orderId: OrderId;
  readonly strategyId: StrategyId;
  readonly stockId: StockId;
  readonly action: Action;
  readonly price: Decimal;
  readonly amount: Decimal;
  readonly total: Decimal;
  readonly feeTotal: Decimal;
  readonly rounding: Decimal;
  /** The change of the position's `realized`, its fee included; null if it opened or added, or was not recorded. */
  readonly realized: Decimal | null;
  /** Right after the fill; null when a quote of another holding is missing. */
  readonly strategyValue: Decimal | null;
  readonly createdAt: Timestamp;
}
