import type { Timestamp } from '../../ids.js';
import type { Quote, Session, TradedInstrument } from '../../market/stock.js';
import { type Decimal, ONE, round18 } from '../../numbers/decimal.js';
import type { Action, OpenOrder, OrderType, PriceName, Pricing } from '../order.js';

/** The pricing of one order type. */
export type PricingOf<Type extends OrderType> = Extract<Pricing, { readonly type: Type }>;

type PricesOf<Type extends OrderType> = Type extends OrderType
  ? { readonly [Name in PriceName]: Name extends keyof PricingOf<Type> ? true : false }
  : never;

/** A fresh quote of the order's stock in the open session. */
export interface Moment {
  readonly quote: Quote;
  readonly stock: TradedInstrument;
  readonly session: Session;
  readonly now: Timestamp;
}

/** The result of matching an order against a quote: the price of its fill, or the marks with which it keeps waiting. */
export type MatchResult =
  | { readonly fills: true; readonly price: Decimal; readonly triggeredAt: Timestamp | null }
  | {
      readonly fills: false;
      readonly triggeredAt: Timestamp | null;
      readonly restingSince: Timestamp | null;
    };

/** The quotes that can move a waiting order. */
export type Watch =
  | { readonly on: 'any' }
  | {
      readonly on: 'ask_at_most' | 'ask_at_least' | 'bid_at_most' | 'bid_at_least';
      readonly price: Decimal;
    };

/** The rules of an order type. A new type must answer all of them to compile. */
export interface OrderTypeRules<Type extends OrderType> {
  /** The prices that an order of the type has, and must be sent with. */
  readonly prices: PricesOf<Type>;
  /** Why these prices are invalid, as text for users; undefined when they are valid. */
  pricingFault(pricing: PricingOf<Type>, action: Action): string | undefined;
  /** The lowest and the highest price that sizes the order; undefined when only a quote can say. */
  sizingPrices(
    pricing: PricingOf<Type>,
  ): { readonly lowest: Decimal; readonly highest: Decimal } | undefined;
  /** True once the order trades at any price the market gives. */
  isAtMarket(order: OpenOrder): boolean;
  /** Matches an order without open prerequisites against a quote (contract 3, "Fills"). */
  match(order: OpenOrder, pricing: PricingOf<Type>, moment: Moment): MatchResult;
  /** The quotes that must be matched against an order without open prerequisites. */
  watches(order: OpenOrder, pricing: PricingOf<Type>): readonly Watch[];
}

export const noFault = (): undefined => undefined;

export const ANY_QUOTE: readonly Watch[] = [{ on: 'any' }];

/** A market order's price: the quote's far side, worse by the stock's slippage (contract 3, "Fills"). */
export const marketPrice = (action: Action, quote: Quote, stock: TradedInstrument): Decimal =>
  action === 'buy'
    ? round18(quote.ask.times(ONE.plus(stock.slippage)))
    : round18(quote.bid.times(ONE.minus(stock.slippage)));

export const fillAtMarket = (
  { action }: OpenOrder,
  { quote, stock }: Moment,
  triggeredAt: Timestamp | null,
): MatchResult => ({ fills: true, price: marketPrice(action, quote, stock), triggeredAt });

/** The order stays as it is. */
export const keepsWaiting = ({ triggeredAt, restingSince }: OpenOrder): MatchResult => ({
  fills: false,
  triggeredAt,
  restingSince,
});

/** A resting limit order fills at its own price; on the first quote it meets in a session, at that quote. */
export function matchLimit(
  { action, restingSince }: OpenOrder,
  limit: Decimal,
  { quote, session, now }: Moment,
  triggeredAt: Timestamp | null,
): MatchResult {
  const rests = restingSince !== null && restingSince >= session.opensAt;
  const isMarketable = action === 'buy' ? quote.ask.lte(limit) : quote.bid.gte(limit);
  if (!isMarketable) return { fills: false, triggeredAt, restingSince: rests ? restingSince : now };
  const met = action === 'buy' ? quote.ask : quote.bid;
  return { fills: true, price: rests ? limit : met, triggeredAt };
}

/** When the stop fired: it stays fired, whatever the price does while the order waits. */
export function firedAt(
  { action, triggeredAt }: OpenOrder,
  stop: Decimal,
  { quote, now }: Moment,
): Timestamp | null {
  const isTouched = action === 'buy' ? quote.ask.gte(stop) : quote.bid.lte(stop);
  return triggeredAt ?? (isTouched ? now : null);
}

export const hasFired = ({ triggeredAt }: OpenOrder): boolean => triggeredAt !== null;

/** Every quote until the limit rests; then only those that reach its price. */
export const limitWatch = ({ action, restingSince }: OpenOrder, price: Decimal): Watch =>
  restingSince === null
    ? { on: 'any' }
    : { on: action === 'buy' ? 'ask_at_most' : 'bid_at_least', price };

export const stopWatch = ({ action }: OpenOrder, price: Decimal): Watch => ({
  on: action === 'buy' ? 'ask_at_least' : 'bid_at_most',
  price,
});
