import { type Book, type Decimal, type OpenOrder, type StockId, sign } from '@slipstream/domain';
import type { Prices } from '../data/bar.js';

/** Which extreme of a bar comes first. */
export type FirstExtreme = 'low' | 'high';

/** The quotes at the extremes of a bar, as orders will meet them. */
export type ExtremeQuotes = (extreme: FirstExtreme) => {
  readonly bid: Decimal;
  readonly ask: Decimal;
};

/** Whether the extreme reaches the order's stop: a buy's from below with its ask, a sell's from above with its bid. */
function fires(
  { action, pricing }: OpenOrder,
  quotes: ExtremeQuotes,
  extreme: FirstExtreme,
): boolean {
  if (!('stopPrice' in pricing)) return false;
  if (action === 'buy') return extreme === 'high' && quotes(extreme).ask.gte(pricing.stopPrice);
  return extreme === 'low' && quotes(extreme).bid.lte(pricing.stopPrice);
}

/**
 * The order of a bar's extremes that is worse for the strategy (contract 12): net long the low first, net short the high first.
 * Flat, the extreme that fires a stop; if both or none, the one farther from the open, a tie the low. A stop that waits for its
 * entry counts only after it, so that an entry and its stop in one bar end in the loss.
 */
export function firstExtreme(
  book: Book,
  stockId: StockId,
  prices: Prices,
  quotes: ExtremeQuotes,
): FirstExtreme {
  const position = book.positions.get(stockId);
  if (position) return sign(position.amount) > 0 ? 'low' : 'high';
  const working = book.openOrders.filter(
    (order) => order.stockId === stockId && order.dependsOn.length === 0,
  );
  const [low, high] = (['low', 'high'] as const).map((extreme) =>
    working.some((order) => fires(order, quotes, extreme)),
  );
  if (low !== high) return low ? 'low' : 'high';
  return prices.high - prices.open > prices.open - prices.low ? 'high' : 'low';
}
