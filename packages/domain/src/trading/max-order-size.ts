import type { Book, Position } from './book.js';
import { DEFAULT_SLIPPAGE, requireSlippage, sizingBuffer } from './buffer.js';
import { type Decimal, ZERO, decimalText, divide, max, round18, sign } from '../numbers/decimal.js';
import { prerequisitesOf } from './dependencies.js';
import { fillAt, holdingAfter, quantityAt } from './fill.js';
import { requireAboveZero } from '../numbers/figures.js';
import type { OrderId } from '../ids.js';
import type { Market } from '../market/market.js';
import type { Action, IdentifiedRequest, OpenOrder, OrderRequest, Pricing, Size } from './order.js';
import { marketPrice, pricingFault, sizingPrices, withPrices } from './order-types/index.js';
import { type SizingContext, closingOnly, sizingQuote, tradableStock } from './plan.js';
import { Refusal } from '../refusal.js';
import { type TradedInstrument, goneReason } from '../market/stock.js';
import { grossExposure, holding, strategyValue } from '../performance/valuation.js';

const requireSize = (size: Size): unknown =>
  size.by === 'amount'
    ? requireAboveZero('amount', size.amount)
    : requireAboveZero('total', size.total);

const requirePrices = (pricing: Pricing): unknown =>
  withPrices(pricing, (price, name) =>
    requireAboveZero(name === 'price' ? 'price' : 'stop_price', price),
  );

/** The largest order that newOrder accepts: `price` market, `amount` and `total` normalized (contract 3). */
export interface MaxOrderSize {
  readonly price: Decimal;
  readonly amount: Decimal;
  readonly total: Decimal;
}

/** The sizing price: the order's own, the larger of an OCO's two, or the quote's far side. */
function sizingPrice(
  action: Action,
  pricing: Pricing,
  market: Market,
  stock: TradedInstrument,
): Decimal {
  const own = sizingPrices(pricing);
  if (own) return own.highest;
  const quote = sizingQuote(market, stock);
  return action === 'buy' ? quote.ask : quote.bid;
}

/** An order whose largest size is requested. */
export interface OrderToSize {
  readonly stock: TradedInstrument;
  readonly action: Action;
  readonly pricing: Pricing;
  /** A fraction. */
  readonly slippage: Decimal;
}

/**
 * The largest order that `newOrder` accepts at 2x gross exposure, rounded down (spec 4.4, getMaxOrderSize).
 * @throws {Refusal} `value_unavailable` while a holding has no quote, `quote_unavailable` when a market order has none,
 * `invalid_field` for a price that is not above 0 or a slippage out of range.
 * @example
 * // `market`: ACME at 100, free of fee and slippage; `nextId` counts
 * const acme = market.stock(id('acme'));
 * const buy = { stock: acme, action: 'buy', pricing: { type: 'market' }, slippage: decimal('0') };
 * const most = maxOrderSize(newBook(id('mine')), buy, market);
 * [decimalText(most.amount), decimalText(most.total)] // => ['0.02', '2']
 */
export function maxOrderSize(
  book: Book,
  { stock, action, pricing, slippage }: OrderToSize,
  market: Market,
  closesOnly = false,
): MaxOrderSize {
  requirePrices(pricing);
  requireSlippage(slippage);
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
  const room = closesOnly ? ZERO : max(ZERO, finalBuyingPower.minus(others));
  const held = holding(book, stock.id).times(price);
  const signed = action === 'buy' ? ZERO.minus(held) : held;
  const total = max(ZERO, max(signed, room.plus(signed)));
  return { price, total: round18(total, 'down'), amount: divide(total, price, 'down') };
}

/** The price at which an unfilled order is assumed to fill: its own, or that of a market order now. */
function assumedPrice(
  order: OpenOrder,
  market: Market,
  stock: TradedInstrument,
): Decimal | undefined {
  const own = sizingPrices(order.pricing);
  if (own) return own.highest;
  const quote = market.quote(stock.id);
  return quote && marketPrice(order.action, quote, stock);
}

/**
 * The book as if all prerequisites, direct and indirect, had filled at their own prices. It sizes dependent orders (contract
 * 7b.1). Refuses a prerequisite that is not open.
 * @throws {Refusal} `not_found`.
 */
export function asIfFilled(book: Book, dependsOn: readonly OrderId[], market: Market): Book {
  if (dependsOn.length === 0) return book;
  const orders = prerequisitesOf(book.openOrders, dependsOn);
  const open = new Set(orders.map((order) => order.id));
  const missing = dependsOn.find((prerequisite) => !open.has(prerequisite));
  if (missing !== undefined)
    throw new Refusal('not_found', `order ${missing} is not an open order of this strategy`);

  let { cash } = book;
  const positions = new Map(book.positions);
  for (const order of orders) {
    const stock = market.stock(order.stockId);
    const price = stock && assumedPrice(order, market, stock);
    if (!stock || !price) continue;
    const position = positions.get(stock.id);
    const held = position?.amount ?? ZERO;
    const fill = fillAt(order, price, stock, held);
    const costs = fill.fee.plus(fill.rounding);
    cash = (order.action === 'buy' ? cash.minus(fill.gross) : cash.plus(fill.gross)).minus(costs);
    const amount = holdingAfter(held, order, fill);
    if (sign(amount) === 0) positions.delete(stock.id);
    else positions.set(stock.id, { ...(position ?? opened(order, price, market)), amount });
  }
  return { ...book, cash, positions };
}

const opened = ({ stockId }: OpenOrder, averagePrice: Decimal, { now }: Market): Position => ({
  stockId,
  amount: ZERO,
  averagePrice,
  cost: ZERO,
  realized: ZERO,
  dividends: ZERO,
  createdAt: now,
  updatedAt: now,
});

/** The price that gives a total the largest amount: its own lower one, or the quote's; undefined without a quote. */
function leastPrice(request: OrderRequest, market: Market): Decimal | undefined {
  const { action, pricing } = request;
  const own = sizingPrices(pricing);
  if (own) return own.lowest;
  const quote = market.quote(request.stockId);
  return action === 'buy' ? quote?.ask : quote?.bid;
}

/**
 * Reducing needs no value: it is accepted and waits (contract 3, "Value"). A total counts at the order's own price, so that
 * only a market order needs a quote for it (contract 7b, 2).
 */
export function onlyReduces(
  book: Book,
  request: OrderRequest,
  stock: TradedInstrument,
  market: Market,
): boolean {
  if (request.reduceOnly) return true;
  const { action, size } = request;
  const held = holding(book, stock.id);
  if (action === 'buy' ? sign(held) >= 0 : sign(held) <= 0) return false;
  if (size.by === 'amount') return size.amount.lte(held.abs());
  const price = leastPrice(request, market);
  return price !== undefined && quantityAt(request, price, stock.fee, held).amount.lte(held.abs());
}

/** The most open orders of a strategy, and as many again that only reduce; each costs memory, and every batch reads it. */
export const MAX_OPEN_ORDERS = 1000;

/** A book full of entries must not keep its owner from reducing (contract 16, "Caps"). */
function requireRoomIn({ openOrders }: Book, reduces: boolean): void {
  const most = reduces ? 2 * MAX_OPEN_ORDERS : MAX_OPEN_ORDERS;
  if (openOrders.length < most) return;
  const others = reduces ? '' : '; one that only reduces is still taken';
  throw new Refusal('too_many', `a strategy can have ${most} open orders at most${others}`);
}

/** Whether the order only reduces the holding that its prerequisites leave. */
export function onlyReducesAfter(book: Book, placement: Placement, market: Market): boolean {
  const stock = market.stock(placement.stockId);
  const assumed = asIfFilled(book, placement.dependsOn, market);
  const request = { ...placement, reduceOnly: placement.reduceOnly === true };
  return stock !== undefined && onlyReduces(assumed, request, stock, market);
}

/** An order as its owner sends it: `if_it_reduces` makes it reduce-only if it reduces. */
export interface Placement extends Omit<IdentifiedRequest, 'reduceOnly'> {
  readonly reduceOnly: boolean | 'if_it_reduces';
}

/**
 * The order of newOrder, ready to be submitted. Refuses too many orders, a stock of the wrong type or delisted, a size or price that is not
 * above 0, an OCO on the wrong sides, and a size above the limit. A dependent order that only reduces the holding after its prerequisites is
 * `reduceOnly` unless its owner says otherwise: a cancelled entry must not leave a stop that opens a short (contract 7b.2).
 * @throws {Refusal} `not_found`, `stock_not_active`, `too_many`, `invalid_field`, `closing_only`, `insufficient_buying_power`,
 * `value_unavailable` or `quote_unavailable`.
 */
export function placeable(
  book: Book,
  placement: Placement,
  { type, market, closesOnly = false }: SizingContext,
): IdentifiedRequest {
  const stock = tradableStock(market, placement.stockId, type);
  if (stock.status === 'delisted') throw new Refusal('stock_not_active', goneReason(stock));
  const { pricing, action, size } = placement;
  requireSize(size);
  requirePrices(pricing);
  const fault = pricingFault(pricing, action);
  if (fault !== undefined) throw new Refusal('invalid_field', fault);
  const assumed = asIfFilled(book, placement.dependsOn, market);
  const decides = placement.reduceOnly === 'if_it_reduces';
  const request = { ...placement, reduceOnly: placement.reduceOnly === true };
  const reduces = onlyReduces(assumed, request, stock, market);
  requireRoomIn(book, reduces);
  if (reduces) {
    return { ...request, reduceOnly: closesOnly || decides || request.reduceOnly };
  }
  const side = sign(holding(assumed, stock.id));
  const closes = action === 'buy' ? side < 0 : side > 0;
  if (closesOnly && !closes) throw closingOnly();
  const limit = maxOrderSize(
    assumed,
    { stock, action, pricing, slippage: DEFAULT_SLIPPAGE },
    market,
    closesOnly,
  );
  const [asked, largest] =
    size.by === 'amount' ? [size.amount, limit.amount] : [size.total, limit.total];
  if (asked.gt(largest)) {
    if (closesOnly) throw closingOnly();
    throw new Refusal(
      'insufficient_buying_power',
      `${size.by} ${decimalText(asked)} is larger than ${decimalText(largest)}, the largest that fits now (getMaxOrderSize)`,
    );
  }
  // A total also pays the fee, so it can exceed the holding's worth.
  const value = strategyValue(assumed, market);
  return closesOnly || !value || value.lte(ZERO) ? { ...request, reduceOnly: true } : request;
}
