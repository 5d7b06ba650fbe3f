import { max, min } from '../../numbers/decimal.js';
import {
  ANY_QUOTE,
  type OrderTypeRules,
  fillAtMarket,
  firedAt,
  hasFired,
  limitWatch,
  matchLimit,
  stopWatch,
} from './order-type.js';

/** One cancels the other: a limit order until its stop is touched, from then on a market order. */
export const oco: OrderTypeRules<'oco'> = {
  prices: { price: true, stopPrice: true },
  pricingFault: ({ price, stopPrice }, action) => {
    if (action === 'buy')
      return price.lt(stopPrice)
        ? undefined
        : 'an oco order to buy requires price below stop_price';
    return price.gt(stopPrice) ? undefined : 'an oco order to sell requires price above stop_price';
  },
  sizingPrices: ({ price, stopPrice }) => ({
    lowest: min(price, stopPrice),
    highest: max(price, stopPrice),
  }),
  isAtMarket: hasFired,
  match: (order, { price, stopPrice }, moment) => {
    const fired = firedAt(order, stopPrice, moment);
    return fired === null
      ? matchLimit(order, price, moment, null)
      : fillAtMarket(order, moment, fired);
  },
  watches: (order, { price, stopPrice }) =>
    hasFired(order) ? ANY_QUOTE : [limitWatch(order, price), stopWatch(order, stopPrice)],
};
