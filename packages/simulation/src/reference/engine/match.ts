import { type Exact, ONE, rounded } from './exact.js';
import type { ModelOrder, ModelQuote, ModelStock } from './model.js';

/** How a market order fills (contract 3, "Fills"). */
export const atMarket = (
  { action }: ModelOrder,
  { slippage }: ModelStock,
  quote: ModelQuote,
): Exact =>
  action === 'buy'
    ? rounded(quote.ask.mul(ONE.add(slippage)))
    : rounded(quote.bid.mul(ONE.sub(slippage)));

const isTouched = ({ action, stopPrice }: ModelOrder, quote: ModelQuote): boolean =>
  stopPrice !== null && (action === 'buy' ? quote.ask.gte(stopPrice) : quote.bid.lte(stopPrice));

interface MatchInput {
  readonly stock: ModelStock;
  readonly quote: ModelQuote;
  /** When the session began: on the first quote of a session, a resting order can be marketable again. */
  readonly opensAt: number;
  readonly now: number;
}

/** Fills at the first quote if that makes it marketable; once it rests, at its own price. */
function limit(order: ModelOrder, { quote, opensAt, now }: MatchInput): Exact | undefined {
  const { action, price } = order;
  if (price === null) throw new Error('a limit without a price');
  const isResting = order.restingSince !== null && order.restingSince >= opensAt;
  const offered = action === 'buy' ? quote.ask : quote.bid;
  const isMarketable = action === 'buy' ? offered.lte(price) : offered.gte(price);
  if (isMarketable) return isResting ? price : offered;
  if (!isResting) order.restingSince = now;
  return undefined;
}

/**
 * Compares an order with a quote: returns the price at which it fills, or undefined while it waits. Marks it as triggered or
 * resting.
 */
export function matchOrder(order: ModelOrder, meeting: MatchInput): Exact | undefined {
  const { stock, quote, now } = meeting;
  switch (order.type) {
    case 'market':
      return atMarket(order, stock, quote);
    case 'limit':
      return limit(order, meeting);
    case 'stop_market':
      if (order.triggeredAt === null && !isTouched(order, quote)) return undefined;
      order.triggeredAt ??= now;
      return atMarket(order, stock, quote);
    case 'stop_limit':
      if (order.triggeredAt === null && !isTouched(order, quote)) return undefined;
      order.triggeredAt ??= now;
      return limit(order, meeting);
    case 'oco':
      if (order.triggeredAt !== null || isTouched(order, quote)) {
        order.triggeredAt ??= now;
        return atMarket(order, stock, quote);
      }
      return limit(order, meeting);
  }
}
