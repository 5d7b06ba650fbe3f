import type { Decimal } from '../../numbers/decimal.js';
import {
  type Action,
  type OpenOrder,
  type OrderType,
  PRICE_NAMES,
  type PriceName,
  type Pricing,
} from '../order.js';
import { limit } from './limit.js';
import { market } from './market.js';
import { oco } from './oco.js';
import type { MatchResult, Moment, OrderTypeRules, Watch } from './order-type.js';
import { stopLimit } from './stop-limit.js';
import { stopMarket } from './stop-market.js';

export { type MatchResult, type Moment, type Watch, marketPrice } from './order-type.js';

/** One row per order type (spec 2.6). */
const ORDER_TYPE_RULES: { readonly [Type in OrderType]: OrderTypeRules<Type> } = {
  market,
  limit,
  stop_market: stopMarket,
  stop_limit: stopLimit,
  oco,
};

/** The row of a type. It is only ever asked about orders of that type. */
const rulesOf = (type: OrderType) => ORDER_TYPE_RULES[type] as OrderTypeRules<OrderType>;

/** Matches an order without open prerequisites against a fresh quote in an open session (contract 3, "Fills"). */
export const matchOrder = (order: OpenOrder, moment: Moment): MatchResult =>
  rulesOf(order.pricing.type).match(order, order.pricing, moment);

const NOTHING: readonly Watch[] = [];

/** The quotes that must be matched against the order: none while a prerequisite is open. */
export const watchesOf = (order: OpenOrder): readonly Watch[] =>
  order.dependsOn.length > 0 ? NOTHING : rulesOf(order.pricing.type).watches(order, order.pricing);

/** True when the order trades at any price the market gives: a market order, or one whose stop made it one. */
export const isAtMarket = (order: OpenOrder): boolean =>
  rulesOf(order.pricing.type).isAtMarket(order);

/** The lowest and the highest price that sizes an order of this pricing; undefined when only a quote can say. */
export const sizingPrices = (pricing: Pricing) => rulesOf(pricing.type).sizingPrices(pricing);

/** Why these prices are invalid, as text for users; undefined when they are valid. */
export const pricingFault = (pricing: Pricing, action: Action): string | undefined =>
  rulesOf(pricing.type).pricingFault(pricing, action);

/** The prices that an order of the type has: market prices (spec 2.6). */
export const pricesOf = (type: OrderType): readonly PriceName[] =>
  PRICE_NAMES.filter((name) => rulesOf(type).prices[name]);

/** The pricing of a type, with each price requested by name. */
export function pricingWith(type: OrderType, priceOf: (name: PriceName) => Decimal): Pricing {
  const pricing: { type: OrderType; price?: Decimal; stopPrice?: Decimal } = { type };
  const { prices } = rulesOf(type);
  if (prices.price) pricing.price = priceOf('price');
  if (prices.stopPrice) pricing.stopPrice = priceOf('stopPrice');
  return pricing as Pricing;
}

/** The pricing with each of its prices changed. */
export const withPrices = (
  pricing: Pricing,
  change: (price: Decimal, name: PriceName) => Decimal,
): Pricing => {
  const prices = { price: undefined, stopPrice: undefined, ...pricing };
  return pricingWith(pricing.type, (name) => change(prices[name] as Decimal, name));
};
