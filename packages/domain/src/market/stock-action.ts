import type { Book, BookChange, Outcome, Position } from '../trading/book.js';
import { type Decimal, SMALLEST, ZERO, divide, max, round18 } from '../numbers/decimal.js';
import { release } from '../trading/dependencies.js';
import { execute } from '../trading/execute.js';
import { bookFill } from '../trading/fill.js';
import type { Id, NextId, StockId, StrategyId, Timestamp } from '../ids.js';
import type { Market } from './market.js';
import type { OpenOrder, Pricing } from '../trading/order.js';
import { withPrices } from '../trading/order-types/index.js';
import { withdrawn } from '../trading/matching.js';
import { type SplitRatio, splitAmount, splitPrice, splitRatio } from './split.js';
import type { Quote, TradedInstrument } from './stock.js';
import { valuationPrice } from '../performance/valuation.js';

export type StockActionId = Id<'stock_action'>;
export type AdjustmentId = Id<'adjustment'>;

/** The kinds of corporate action: new shares for old ones, cash per share, the final price. */
export const STOCK_ACTION_KINDS = ['split', 'cash_dividend', 'delisting'] as const;
export type StockActionKind = (typeof STOCK_ACTION_KINDS)[number];

/** A corporate action (contract 3). Pending until every affected book has it. */
export interface StockAction {
  readonly id: StockActionId;
  readonly stockId: StockId;
  readonly kind: StockActionKind;
  /** Split: new shares for an old one. Dividend: cash per share. Delisting: the final price. Market units. */
  readonly figure: Decimal;
  /** The new and old shares of a split that was given in shares; null otherwise. */
  readonly newShares: Decimal | null;
  readonly oldShares: Decimal | null;
  readonly status: 'pending' | 'done';
  readonly createdAt: Timestamp;
}

/** The effect of an action on one book: at most one per action and strategy. */
export interface Adjustment {
  readonly id: AdjustmentId;
  readonly actionId: StockActionId;
  readonly strategyId: StrategyId;
  readonly stockId: StockId;
  readonly kind: StockActionKind;
  readonly figure: Decimal;
  /** The holding before and after, signed, normalized. */
  readonly amountBefore: Decimal;
  readonly amountAfter: Decimal;
  /**
   * The amount booked to cash: a dividend, or a split's fraction of a share below the last place. Negative when the strategy
   * owes it.
   */
  readonly cash: Decimal;
  readonly createdAt: Timestamp;
}

/** A book after an action, with the changes of its orders and the adjustment. */
export interface Adjusted {
  readonly book: Book;
  readonly changes: readonly BookChange[];
  readonly amountBefore: Decimal;
  readonly amountAfter: Decimal;
  readonly cash: Decimal;
}

/** Whether the action affects the book: it holds the stock or has an open order of it. */
export const concerns = (book: Book, stockId: StockId): boolean =>
  book.positions.has(stockId) || book.openOrders.some((order) => order.stockId === stockId);

const withPosition = (book: Book, stockId: StockId, next: Position | undefined): Book => {
  const positions = new Map(book.positions);
  if (next) positions.set(stockId, next);
  else positions.delete(stockId);
  return { ...book, positions };
};

/** The prices of an order in new shares. */
const repriced = (pricing: Pricing, ratio: SplitRatio): Pricing =>
  withPrices(pricing, (price) => splitPrice(price, ratio));

/** An order in new shares. Amounts round as holdings do, so that an order for the whole holding stays one. */
const resized = (order: OpenOrder, ratio: SplitRatio): OpenOrder => ({
  ...order,
  pricing: repriced(order.pricing, ratio),
  size:
    order.size.by === 'amount'
      ? { by: 'amount', amount: max(splitAmount(order.size.amount, ratio).amount, SMALLEST) }
      : order.size,
});

/**
 * A split does not change the value: it multiplies amounts by the ratio and divides prices by it. The part of an amount beyond 18
 * places is paid in cash at `quote`, the last one before the split, as brokers pay fractions.
 */
export function splitBook(
  book: Book,
  action: StockAction,
  quote: Quote | undefined,
  now: Timestamp,
): Adjusted {
  const { stockId } = action;
  const ratio = splitRatio(action);
  const position = book.positions.get(stockId);
  const amountBefore = position?.amount ?? ZERO;
  const { amount: amountAfter, rest } = splitAmount(amountBefore, ratio);
  const cash = quote
    ? divide(rest.times(valuationPrice(amountBefore, quote)), ratio.newShares)
    : ZERO;
  const changes: BookChange[] = [];
  const openOrders = book.openOrders.map((order) => {
    if (order.stockId !== stockId) return order;
    const next = resized(order, ratio);
    changes.push({ kind: 'adjusted', order: next });
    return next;
  });
  const adjusted = position && {
    ...position,
    amount: amountAfter,
    averagePrice: splitPrice(position.averagePrice, ratio),
    dividends: position.dividends.plus(cash),
    updatedAt: now,
  };
  const moved = adjusted
    ? withPosition(book, stockId, amountAfter.eq(ZERO) ? undefined : adjusted)
    : book;
  const next = { ...moved, cash: book.cash.plus(cash), openOrders, version: book.version + 1 };
  return { book: next, changes, amountBefore, amountAfter, cash };
}

/** A cash dividend on the holding; a short pays it. */
export function payDividend(book: Book, { stockId, figure }: StockAction): Adjusted {
  const position = book.positions.get(stockId);
  const held = position?.amount ?? ZERO;
  const cash = round18(held.times(figure));
  const paid = position && { ...position, dividends: position.dividends.plus(cash) };
  const moved = paid ? withPosition(book, stockId, paid) : book;
  const next = { ...moved, cash: book.cash.plus(cash), version: book.version + 1 };
  return { book: next, changes: [], amountBefore: held, amountAfter: held, cash };
}

/** The book without its orders of a delisted stock, and the orders that this releases. */
function withoutOrdersOf(book: Book, stock: TradedInstrument, market: Market) {
  const cancelled = book.openOrders.filter((order) => order.stockId === stock.id);
  const gone = new Set(cancelled.map((order) => order.id));
  const others = book.openOrders.filter((order) => !gone.has(order.id));
  const { open, released } = release(others, gone);
  const changes: BookChange[] = [
    ...cancelled.map((order) => ({
      kind: 'cancelled' as const,
      order: withdrawn(order, 'cancelled', `${stock.symbol} was delisted`, market),
    })),
    ...released.map((order) => ({ kind: 'released' as const, order })),
  ];
  const left = { ...book, openOrders: open, version: book.version + 1 };
  return { left, changes, released: new Set(released.map((order) => order.id)) };
}

/** Orders of a delisted stock can never execute, so they are cancelled. Orders that waited for them execute if they can. */
export function cancelDelisted(
  book: Book,
  stock: TradedInstrument,
  market: Market,
  nextId: NextId,
): Outcome {
  const { left, changes, released } = withoutOrdersOf(book, stock, market);
  if (changes.length === 0) return { book, changes };
  const executed = execute(left, market, nextId, released);
  return { book: executed.book, changes: [...changes, ...executed.changes] };
}

/** Settles a delisted stock: cancels its orders and closes the holding at the price, free of costs. */
export function settleDelisted(
  book: Book,
  { figure: price }: StockAction,
  stock: TradedInstrument,
  market: Market,
  nextId: NextId,
): Adjusted {
  const { left: counted, changes, released } = withoutOrdersOf(book, stock, market);
  const held = book.positions.get(stock.id)?.amount ?? ZERO;
  const answer = { amountBefore: held, amountAfter: ZERO, cash: ZERO };
  const executed = (settled: Book): Adjusted => {
    const outcome = execute(settled, market, nextId, released);
    return { ...answer, book: outcome.book, changes: [...changes, ...outcome.changes] };
  };
  if (held.eq(ZERO)) return executed(counted);
  const order: OpenOrder = {
    id: nextId(),
    strategyId: book.strategyId,
    stockId: stock.id,
    action: held.gt(ZERO) ? 'sell' : 'buy',
    pricing: { type: 'market' },
    size: { by: 'amount', amount: held.abs() },
    dependsOn: [],
    reduceOnly: true,
    origin: 'plan',
    createdAt: market.now,
    triggeredAt: null,
    status: 'open',
    restingSince: null,
  };
  const amount = held.abs();
  const gross = round18(amount.times(price));
  const fill = { price, amount, gross, fee: ZERO, rounding: ZERO, quote: null };
  const booked = bookFill(counted, order, fill, market, nextId());
  changes.push({ kind: 'opened', order });
  const { position, filled, trade } = booked;
  changes.push({ kind: 'filled', order: filled, trade, position });
  return executed(booked.book);
}
