import { type OrderTypeRules, limitWatch, matchLimit, noFault } from './order-type.js';

/** Trades at its price or better. */
export const limit: OrderTypeRules<'limit'> = {
  prices: { price: true, stopPrice: false },
  pricingFault: noFault,
  sizingPrices: ({ price }) => ({ lowest: price, highest: price }),
  isAtMarket: () => false,
  match: (order, { price }, moment) => matchLimit(order, price, moment, null),
  watches: (order, { price }) => [limitWatch(order, price)],
};
