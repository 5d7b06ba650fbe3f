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
  /** When the session began: what rested before it is marketable anew on the first quote of this one. */
  readonly opensAt: number;
  readonly now: number;
}

/** Marketable on the first quote it meets it fills at that quote; once it has been resting, at its own price. */
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

/** An order meets a quote: the price at which it fills, or undefined while it waits. Notes when it was triggered or came to rest. */
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
