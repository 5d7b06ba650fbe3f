import type { Book } from './book.js';
import { type Decimal, ZERO, decimal, decimalText, divide, max, sign } from '../numbers/decimal.js';
import { type Fill, holdingAfter, reduces } from './fill.js';
import type { Market } from '../market/market.js';
import type { OpenOrder, ExposureRule } from './order.js';
import { NEGLIGIBLE } from './plan.js';
import { grossExposure, holding, strategyValue } from '../performance/valuation.js';

/** The most gross exposure after a fill, as a multiple of strategy_value right before it (contract 3). */
const EXPOSURE_LIMITS: Readonly<Record<ExposureRule, Decimal>> = {
  order: decimal('2'),
  plan: decimal('2.2'),
  exit: decimal('2.2'),
};

/** A planned order above its limit is cut to this (contract 7b.4). */
const CUT_LIMIT = EXPOSURE_LIMITS.order;

/** The bounds of a fill: strategy_value right before it, gross exposure in other stocks, and the price that values it. */
interface Room {
  readonly value: Decimal;
  readonly others: Decimal;
  readonly price: Decimal;
}

/** Undefined while a quote is missing. A bounded fill leaves a holding on its own side. */
function roomFor(book: Book, order: OpenOrder, market: Market): Room | undefined {
  const quote = market.freshQuote(order.stockId);
  const value = strategyValue(book, market);
  const others = grossExposure(book, market, order.stockId);
  if (!quote || !value || !others) return undefined;
  return { value, others, price: order.action === 'buy' ? quote.bid : quote.ask };
}

const grossAfter = ({ others, price }: Room, held: Decimal, order: OpenOrder, fill: Fill) =>
  others.plus(holdingAfter(held, order, fill).abs().times(price));

const isAgainst = ({ action }: OpenOrder, held: Decimal): boolean =>
  action === 'buy' ? sign(held) < 0 : sign(held) > 0;

/** The largest amount that the order can trade at gross exposure up to 2x; closing always fits. */
function largestFill({ value, others, price }: Room, held: Decimal, order: OpenOrder) {
  const room = max(ZERO, value.times(CUT_LIMIT).minus(others));
  const after = divide(room, price, 'down');
  return max(ZERO, isAgainst(order, held) ? after.plus(held.abs()) : after.minus(held.abs()));
}

/** Whether the book can carry a fill: whole, in part, not at all, or unknown while a quote is missing. */
export type Clearance =
  | { readonly kind: 'clear' }
  | { readonly kind: 'unavailable' }
  /** By how much it is too large, as text for users. */
  | { readonly kind: 'over'; readonly reason: string }
  | { readonly kind: 'cut'; readonly amount: Decimal; readonly reason: string };

/**
 * The exposure limit at the fill (contract 3). A reducing fill always fits. An order by newOrder fits whole or not at all; a
 * planned one is cut to 2x, unless the rest is negligible (contract 7b.4).
 */
export function clearance(book: Book, order: OpenOrder, fill: Fill, market: Market): Clearance {
  if (reduces(book, order, fill)) return { kind: 'clear' };
  const room = roomFor(book, order, market);
  if (!room) return { kind: 'unavailable' };
  const { value } = room;
  const held = holding(book, order.stockId);
  const gross = grossAfter(room, held, order, fill);
  const limit = value.times(EXPOSURE_LIMITS[order.origin]);
  if (sign(value) > 0 && gross.lte(limit)) return { kind: 'clear' };

  const amount = largestFill(room, held, order);
  const reason = `${decimalText(fill.amount)} would bring gross exposure to ${decimalText(gross)}, more than ${decimalText(limit)}; the largest that fits is ${decimalText(amount)}`;
  const isWorthTrading =
    isAgainst(order, held) ||
    (sign(amount) > 0 && amount.times(fill.price).gte(value.times(NEGLIGIBLE)));
  return order.origin !== 'order' && isWorthTrading
    ? { kind: 'cut', amount, reason: `cut to ${decimalText(amount)}: ${reason}` }
    : { kind: 'over', reason: `insufficient_buying_power: ${reason}` };
}
