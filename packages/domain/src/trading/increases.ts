import { type Increases, NO_INCREASES } from '../accounts/token-limits.js';
import { type Book, openOrder } from './book.js';
import { type Decimal, divide, max, sum } from '../numbers/decimal.js';
import type { Market } from '../market/market.js';
import { asIfFilled, onlyReduces } from './max-order-size.js';
import type { IdentifiedRequest } from './order.js';
import { sizingPrices } from './order-types/index.js';
import { sizingQuote, sizingValue, tradableStock } from './plan.js';
import type { Security } from '../market/stock.js';
import { strategyValue } from '../performance/valuation.js';

/** Requests with what they increase. */
export interface BoundRequests {
  /** Those that only reduce are reduce-only, so that none of them can become an increase. */
  readonly requests: readonly IdentifiedRequest[];
  readonly increases: Increases;
}

/**
 * What orders increase, as multiples of strategy_value. An order that does more than reduce counts whole, at its own highest price
 * or the ask, whichever is more: a limit far from the market would else count for less than it fills.
 * @throws {Refusal} `quote_unavailable`, `value_unavailable` or `insufficient_buying_power` if they increase and cannot be sized.
 */
export function boundRequests(
  book: Book,
  requests: readonly IdentifiedRequest[],
  type: Security,
  market: Market,
): BoundRequests {
  const notionals: Decimal[] = [];
  const bound = requests.map((request) => {
    const stock = tradableStock(market, request.stockId, type);
    // Those of the same batch are of other stocks.
    const before = request.dependsOn.filter((orderId) => openOrder(book, orderId));
    if (onlyReduces(asIfFilled(book, before, market), request, stock, market))
      return request.reduceOnly ? request : { ...request, reduceOnly: true };
    const { ask } = sizingQuote(market, stock);
    const price = max(ask, sizingPrices(request.pricing)?.highest ?? ask);
    const { size } = request;
    notionals.push(size.by === 'amount' ? size.amount.times(price) : size.total);
    return request;
  });
  if (notionals.length === 0) return { requests: bound, increases: NO_INCREASES };
  const value = sizingValue(strategyValue(book, market), false);
  const notional = divide(sum(notionals), value, 'up');
  return { requests: bound, increases: { orders: notionals.length, notional } };
}
