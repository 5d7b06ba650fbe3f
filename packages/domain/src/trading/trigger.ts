import { type Decimal, ONE, round18 } from '../numbers/decimal.js';
import type { Timestamp } from '../ids.js';
import type { OpenOrder } from './order.js';
import type { Quote, Session, TradedInstrument } from '../market/stock.js';

/** What comes of an order meeting a quote: a price to fill at, or what it now waits with. */
export type Meeting =
  | { readonly fills: true; readonly price: Decimal; readonly triggeredAt: Timestamp | null }
  | {
      readonly fills: false;
      readonly triggeredAt: Timestamp | null;
      readonly restingSince: Timestamp | null;
    };

/** A market order's price: the quote's far side, worse by the stock's slippage (contract 3, "Fills"). */
export const marketPrice = (
  action: OpenOrder['action'],
  quote: Quote,
  stock: TradedInstrument,
): Decimal =>
  action === 'buy'
    ? round18(quote.ask.times(ONE.plus(stock.slippage)))
    : round18(quote.bid.times(ONE.minus(stock.slippage)));

const isMarketable = (order: OpenOrder, limit: Decimal, quote: Quote): boolean =>
  order.action === 'buy' ? quote.ask.lte(limit) : quote.bid.gte(limit);

const isTouched = (order: OpenOrder, stop: Decimal, quote: Quote): boolean =>
  order.action === 'buy' ? quote.ask.gte(stop) : quote.bid.lte(stop);

/** When its stop fired: a stop that fired once stays fired, whatever the price does while the order waits. */
const firedAt = (order: OpenOrder, stop: Decimal, quote: Quote, now: Timestamp): Timestamp | null =>
  order.triggeredAt ?? (isTouched(order, stop, quote) ? now : null);

/** A resting limit order fills at its own price; on the first quote it meets in a session, at that quote. */
function meetLimit(
  order: OpenOrder,
  limit: Decimal,
  quote: Quote,
  session: Session,
  now: Timestamp,
  triggeredAt: Timestamp | null,
): Meeting {
  const rests = order.restingSince !== null && order.restingSince >= session.opensAt;
  if (isMarketable(order, limit, quote)) {
    const met = order.action === 'buy' ? quote.ask : quote.bid;
    return { fills: true, price: rests ? limit : met, triggeredAt };
  }
  return { fills: false, triggeredAt, restingSince: rests ? order.restingSince : now };
}

/** What happens to an order without outstanding dependencies when it meets a fresh quote in an open session (contract 3, "Fills"). */
export function meet(
  order: OpenOrder,
  quote: Quote,
  stock: TradedInstrument,
  session: Session,
  now: Timestamp,
): Meeting {
  const { pricing, triggeredAt } = order;
  const atMarket = (fired: Timestamp | null): Meeting => ({
    fills: true,
    price: marketPrice(order.action, quote, stock),
    triggeredAt: fired,
  });
  const waits: Meeting = { fills: false, triggeredAt, restingSince: order.restingSince };
  switch (pricing.type) {
    case 'market':
      return atMarket(null);
    case 'limit':
      return meetLimit(order, pricing.price, quote, session, now, null);
    case 'stop_market': {
      const fired = firedAt(order, pricing.stopPrice, quote, now);
      return fired === null ? waits : atMarket(fired);
    }
    case 'stop_limit': {
      const fired = firedAt(order, pricing.stopPrice, quote, now);
      return fired === null ? waits : meetLimit(order, pricing.price, quote, session, now, fired);
    }
    case 'oco': {
      const fired = firedAt(order, pricing.stopPrice, quote, now);
      return fired === null
        ? meetLimit(order, pricing.price, quote, session, now, null)
        : atMarket(fired);
    }
  }
}
