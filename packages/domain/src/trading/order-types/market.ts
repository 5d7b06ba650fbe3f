import { ANY_QUOTE, type OrderTypeRules, fillAtMarket, noFault } from './order-type.js';

/** Trades at once, at any price the market gives. */
export const market: OrderTypeRules<'market'> = {
  prices: { price: false, stopPrice: false },
  pricingFault: noFault,
  sizingPrices: () => undefined,
  isAtMarket: () => true,
  match: (order, _, moment) => fillAtMarket(order, moment, null),
  watches: () => ANY_QUOTE,
};
