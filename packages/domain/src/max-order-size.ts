import type { Book } from './book.js';
import { DEFAULT_SLIPPAGE, sizingBuffer } from './buffer.js';
import { type Decimal, ZERO, decimalText, divide, max } from './decimal.js';
import { bookFill, fillAt } from './fill.js';
import { type TradeId, id } from './ids.js';
import type { Market } from './market.js';
import type { Action, OrderRequest, Pricing } from './order.js';
import { sizingQuote, tradableStock } from './plan.js';
import { Refusal } from './refusal.js';
import type { Security, Stock } from './stock.js';
import { marketPrice } from './trigger.js';
import { grossExposure, holding, strategyValue } from './valuation.js';

/** The largest order that newOrder accepts: `price` market, `amount` and `total` normalized (contract 3). */
export interface MaxOrderSize {
  readonly price: Decimal;
  readonly amount: Decimal;
  readonly total: Decimal;
}

/** The price that sizes: the order's own, the larger of an OCO's two, or the quote's far side. */
function sizingPrice(action: Action, pricing: Pricing, market: Market, stock: Stock): Decimal {
  switch (pricing.type) {
    case 'limit':
      return pricing.price;
    case 'stop_market':
      return pricing.stopPrice;
    case 'stop_limit':
      return pricing.price;
    case 'oco':
      return max(pricing.price, pricing.stopPrice);
    case 'market': {
      const quote = sizingQuote(market, stock);
      return action === 'buy' ? quote.ask : quote.bid;
    }
  }
}

export function maxOrderSize(
  book: Book,
  stock: Stock,
  action: Action,
  pricing: Pricing,
  slippage: Decimal,
  market: Market,
): MaxOrderSize {
  const value = strategyValue(book, market);
  const others = grossExposure(book, market, stock.id);
  if (!value || !others) {
    throw new Refusal(
      'value_unavailable',
      'strategy_value is unavailable: a holding has no quote yet',
    );
  }
  const price = sizingPrice(action, pricing, market, stock);
  const { finalBuyingPower } = sizingBuffer(value, stock.fee, slippage);
  const room = max(ZERO, finalBuyingPower.minus(others));
  const held = holding(book, stock.id).times(price);
  const signed = action === 'buy' ? ZERO.minus(held) : held;
  const total = max(ZERO, max(signed, room.plus(signed)));
  return { price, total, amount: divide(total, price, 'down') };
}

/** The book as if the prerequisites had filled now at the market: what a dependent order is sized against (contract 3). */
function asIfFilled(book: Book, request: OrderRequest, market: Market): Book {
  return [...new Set(request.dependsOn)].reduce((assumed, prerequisite) => {
    const order = book.openOrders.find((open) => open.id === prerequisite);
    if (!order)
      throw new Refusal('not_found', `order ${prerequisite} is not an open order of this strategy`);
    const stock = market.stock(order.stockId);
    const quote = market.quote(order.stockId);
    if (!stock || !quote) return assumed;
    const price =
      'price' in order.pricing ? order.pricing.price : marketPrice(order.action, quote, stock);
    const fill = fillAt(order, price, stock, holding(assumed, stock.id));
    return fill.amount.eq(ZERO)
      ? assumed
      : bookFill(assumed, order, fill, market, id<'trade'>('') satisfies TradeId).book;
  }, book);
}

/** Reducing needs no value and no quote: it is accepted and waits (contract 3, "Value"). */
export function onlyReduces(
  book: Book,
  { action, size, stockId, reduceOnly }: OrderRequest,
): boolean {
  if (reduceOnly) return true;
  const held = holding(book, stockId);
  const opposite = action === 'buy' ? held.lt(ZERO) : held.gt(ZERO);
  return opposite && size.by === 'amount' && size.amount.lte(held.abs());
}

/** Most open orders of a strategy; each costs memory and is looked at by every batch. */
export const MAX_OPEN_ORDERS = 1000;

/** Refuses what newOrder may not place: too many, wrong type, delisted, an OCO on the wrong sides, or larger than the limit. */
export function requirePlaceable(
  book: Book,
  type: Security,
  request: OrderRequest,
  market: Market,
): void {
  const stock = tradableStock(market, request.stockId, type);
  if (book.openOrders.length >= MAX_OPEN_ORDERS) {
    throw new Refusal('too_many', `a strategy can have ${MAX_OPEN_ORDERS} open orders at most`);
  }
  const { pricing, action, size } = request;
  if (pricing.type === 'oco') {
    const rightSides =
      action === 'buy' ? pricing.price.lt(pricing.stopPrice) : pricing.price.gt(pricing.stopPrice);
    if (!rightSides) {
      throw new Refusal(
        'invalid_field',
        `price must be ${action === 'buy' ? 'below' : 'above'} stop_price for an oco ${action}`,
      );
    }
  }
  const assumed = asIfFilled(book, request, market);
  if (onlyReduces(assumed, request)) return;
  if (stock.status === 'delisted') {
    throw new Refusal('stock_not_active', `${stock.symbol} is delisted and can only be closed`);
  }
  const limit = maxOrderSize(assumed, stock, action, pricing, DEFAULT_SLIPPAGE, market);
  const fits = size.by === 'amount' ? size.amount.lte(limit.amount) : size.total.lte(limit.total);
  if (!fits) {
    const largest = size.by === 'amount' ? limit.amount : limit.total;
    throw new Refusal(
      'insufficient_buying_power',
      `${size.by} is larger than the ${decimalText(largest)} that getMaxOrderSize allows`,
    );
  }
}
