import type { Book, Position } from './book.js';
import {
  type Decimal,
  ONE,
  ZERO,
  decimal,
  divide,
  max,
  min,
  round18,
  sign,
} from '../numbers/decimal.js';
import type { StockId, TradeId, Timestamp } from '../ids.js';
import type { Market } from '../market/market.js';
import type { FilledOrder, OpenOrder, Trade } from './order.js';
import { type FillSource, UNKNOWN_SOURCE } from '../market/source.js';
import type { Quote, TradedInstrument } from '../market/stock.js';
import { holding, strategyValue } from '../performance/valuation.js';

/** If a total order exceeds the holding by less than this, it trades the holding (contract 1, "Decimals"). */
const SNAP = decimal('0.00000000000000001');

/** The traded quantity, and the rest of the order's `total` after gross and fee (null: amount order). */
interface Quantity {
  readonly amount: Decimal;
  readonly total: Decimal | null;
}

/** Bought quantities are rounded down and sold ones up, so that the rest is never negative (contract 1). */
export function quantityAt(
  order: Pick<OpenOrder, 'action' | 'size' | 'reduceOnly'>,
  price: Decimal,
  fee: Decimal,
  held: Decimal,
): Quantity {
  const reducible = (order.action === 'buy' ? sign(held) < 0 : sign(held) > 0) ? held.abs() : ZERO;
  if (order.size.by === 'amount') {
    const { amount } = order.size;
    return { amount: order.reduceOnly ? min(amount, reducible) : amount, total: null };
  }
  const { total } = order.size;
  const amount =
    order.action === 'buy'
      ? divide(total, price.times(ONE.plus(fee)), 'down')
      : divide(total, price.times(ONE.minus(fee)), 'up');
  if (order.reduceOnly && amount.gt(reducible)) return { amount: reducible, total: null };
  const beyond = amount.minus(reducible);
  const isTheHolding = sign(reducible) > 0 && sign(beyond) > 0 && beyond.lt(SNAP);
  return isTheHolding ? { amount: reducible, total: null } : { amount, total };
}

/** A computed fill that is not booked. `amount` is zero when there is nothing to trade. */
export interface Fill {
  readonly price: Decimal;
  readonly amount: Decimal;
  /** Gross: quantity x price, rounded once. */
  readonly gross: Decimal;
  readonly fee: Decimal;
  readonly rounding: Decimal;
}

/** A computed fill with the quote at which it is computed; null when the price is not of a quote. */
export interface QuotedFill extends Fill {
  readonly quote: Quote | null;
}

/** Gross and fee are rounded once, half-even; the fee is 1e-18 smaller if both would round beyond the total. */
export function fillAt(
  order: OpenOrder,
  price: Decimal,
  stock: TradedInstrument,
  held: Decimal,
): Fill {
  const { amount, total } = quantityAt(order, price, stock.fee, held);
  const gross = round18(amount.times(price));
  const fee = round18(amount.times(price).times(stock.fee));
  if (total === null) return { price, amount, gross, fee, rounding: ZERO };
  const room = order.action === 'buy' ? total.minus(gross) : gross.minus(total);
  const charged = min(fee, max(ZERO, room));
  return { price, amount, gross, fee: charged, rounding: max(ZERO, room.minus(charged)) };
}

/** The signed holding after a fill. */
export const holdingAfter = (held: Decimal, order: OpenOrder, fill: Fill): Decimal =>
  order.action === 'buy' ? held.plus(fill.amount) : held.minus(fill.amount);

/** Whether the order trades towards the side of the holding. */
const adds = ({ amount }: Position, { action }: OpenOrder): boolean =>
  sign(amount) > 0 === (action === 'buy');

function positionAfter(
  before: Position | undefined,
  order: OpenOrder,
  fill: Fill,
  now: Timestamp,
): Position {
  const held = before?.amount ?? ZERO;
  const amount = holdingAfter(held, order, fill);
  const paid = order.action === 'buy' ? fill.gross : ZERO.minus(fill.gross);
  if (!before) {
    return {
      stockId: order.stockId,
      amount,
      averagePrice: fill.price,
      cost: paid,
      realized: ZERO.minus(fill.fee),
      dividends: ZERO,
      createdAt: now,
      updatedAt: now,
    };
  }
  if (adds(before, order)) {
    const worth = before.averagePrice.times(held.abs()).plus(fill.price.times(fill.amount));
    return {
      ...before,
      amount,
      averagePrice: divide(worth, amount.abs()),
      cost: before.cost.plus(paid),
      realized: before.realized.minus(fill.fee),
      updatedAt: now,
    };
  }
  // Each part of the cost is in `realized` or in `cost`: neither loses a digit, however the shares divide.
  const crossed = fill.amount.gt(held.abs());
  const opening = crossed ? divide(paid.times(fill.amount.minus(held.abs())), fill.amount) : ZERO;
  const kept = crossed ? ZERO : divide(before.cost.times(amount), held);
  const gain = ZERO.minus(paid.minus(opening)).minus(before.cost.minus(kept));
  return {
    ...before,
    amount,
    averagePrice: crossed ? fill.price : before.averagePrice,
    cost: kept.plus(opening),
    realized: before.realized.plus(gain).minus(fill.fee),
    updatedAt: now,
  };
}

const sourceOf = ({ quote }: QuotedFill, stockId: StockId, market: Market): FillSource => {
  const { market: kind, provider } = market.source?.(stockId) ?? UNKNOWN_SOURCE;
  return {
    market: kind,
    provider: quote && provider,
    quoteBid: quote && quote.bid,
    quoteAsk: quote && quote.ask,
    quoteAt: quote && quote.at,
  };
};

/** When the fill happened: a quote may come between the beginning of a decision and the look at the quotes. */
const timeOf = ({ quote }: QuotedFill, { now }: Market): Timestamp =>
  quote && quote.at > now ? quote.at : now;

/**
 * Books a fill: cash, position, the filled order and its trade, none of them earlier than its quote. The order stays in
 * `openOrders`: the caller closes it.
 */
export function bookFill(
  book: Book,
  order: OpenOrder,
  fill: QuotedFill,
  market: Market,
  tradeId: TradeId,
): {
  readonly book: Book;
  readonly position: Position;
  readonly filled: FilledOrder;
  readonly trade: Trade;
} {
  const at = timeOf(fill, market);
  const before = book.positions.get(order.stockId);
  const position = positionAfter(before, order, fill, at);
  const realized = before && !adds(before, order) ? position.realized.minus(before.realized) : null;
  const positions = new Map(book.positions);
  if (sign(position.amount) === 0) positions.delete(order.stockId);
  else positions.set(order.stockId, position);

  const costs = fill.fee.plus(fill.rounding);
  const cash = (
    order.action === 'buy' ? book.cash.minus(fill.gross) : book.cash.plus(fill.gross)
  ).minus(costs);
  const next = { ...book, cash, positions };
  const source = sourceOf(fill, order.stockId, market);
  return {
    book: next,
    position,
    filled: {
      id: order.id,
      strategyId: order.strategyId,
      stockId: order.stockId,
      action: order.action,
      pricing: order.pricing,
      size: order.size,
      dependsOn: order.dependsOn,
      reduceOnly: order.reduceOnly,
      origin: order.origin,
      createdAt: order.createdAt,
      triggeredAt: order.triggeredAt,
      status: 'filled',
      closedAt: at,
      filledPrice: fill.price,
      filledAmount: fill.amount,
      filledTotal: fill.gross,
      feeTotal: fill.fee,
      reason: null,
    },
    trade: {
      id: tradeId,
      orderId: order.id,
      strategyId: order.strategyId,
      stockId: order.stockId,
      action: order.action,
      price: fill.price,
      amount: fill.amount,
      total: fill.gross,
      feeTotal: fill.fee,
      rounding: fill.rounding,
      realized,
      strategyValue: strategyValue(next, market) ?? null,
      createdAt: at,
      market: source.market,
      provider: source.provider,
      quoteBid: source.quoteBid,
      quoteAsk: source.quoteAsk,
      quoteAt: source.quoteAt,
    },
  };
}

/** Whether the fill leaves less of the stock than before, on either side of zero: such a fill is always allowed. */
export const reduces = (book: Book, order: OpenOrder, fill: Fill): boolean => {
  const held = holding(book, order.stockId);
  return holdingAfter(held, order, fill).abs().lt(held.abs());
};
