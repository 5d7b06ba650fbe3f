import {
  type OrderTypeRules,
  firedAt,
  hasFired,
  keepsWaiting,
  limitWatch,
  matchLimit,
  noFault,
  stopWatch,
} from './order-type.js';

/** A limit order once its stop was touched. */
export const stopLimit: OrderTypeRules<'stop_limit'> = {
  prices: { price: true, stopPrice: true },
  pricingFault: noFault,
  sizingPrices: ({ price }) => ({ lowest: price, highest: price }),
  isAtMarket: () => false,
  match: (order, { price, stopPrice }, moment) => {
    const fired = firedAt(order, stopPrice, moment);
    return fired === null ? keepsWaiting(order) : matchLimit(order, price, moment, fired);
  },
  watches: (order, { price, stopPrice }) => [
    hasFired(order) ? limitWatch(order, price) : stopWatch(order, stopPrice),
  ],
};
