import {
  ANY_QUOTE,
  type OrderTypeRules,
  fillAtMarket,
  firedAt,
  hasFired,
  keepsWaiting,
  noFault,
  stopWatch,
} from './order-type.js';

/** A market order once its stop was touched. */
export const stopMarket: OrderTypeRules<'stop_market'> = {
  prices: { price: false, stopPrice: true },
  pricingFault: noFault,
  sizingPrices: ({ stopPrice }) => ({ lowest: stopPrice, highest: stopPrice }),
  isAtMarket: hasFired,
  match: (order, { stopPrice }, moment) => {
    const fired = firedAt(order, stopPrice, moment);
    return fired === null ? keepsWaiting(order) : fillAtMarket(order, moment, fired);
  },
  watches: (order, { stopPrice }) => (hasFired(order) ? ANY_QUOTE : [stopWatch(order, stopPrice)]),
};
