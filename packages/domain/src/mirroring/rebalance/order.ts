import {
  type BrokerAccount,
  type TradedStock,
  type TradingRules,
  heldAmount,
  heldValue,
} from '../bot-account.js';
import {
  type Decimal,
  TWO,
  ZERO,
  decimal,
  decimalText,
  divide,
  max,
  min,
} from '../../numbers/decimal.js';
import type { StockId } from '../../ids.js';
import { collarPrice } from '../collar.js';
import type { Action } from '../../trading/order.js';

/** `close` ends flat, `open` starts from flat, `reverse` does both in one order. */
export type LegKind = 'close' | 'reduce' | 'reverse' | 'open' | 'increase';

/** An order that brings an account nearer to its target. */
export interface RebalanceOrder {
  readonly stockId: StockId;
  readonly action: Action;
  readonly kind: LegKind;
  /** In the account's own units, a whole number of the broker's steps. */
  readonly amount: Decimal;
  /** Our ask (of a buy) or bid, with which it was planned. */
  readonly price: Decimal;
  /** The worst price that it may be filled at; null where the venue has no limit orders. */
  readonly limit: Decimal | null;
  /** Why, for people. */
  readonly intent: string;
}

/** Whether the order only closes, so that the broker may not let it open or turn a position. */
export const onlyCloses = ({ kind }: Pick<RebalanceOrder, 'kind'>): boolean =>
  kind === 'close' || kind === 'reduce';

/** The move from the holding to its target, before cash and lot steps. Values are not negative. */
export interface Move {
  readonly stockId: StockId;
  readonly stock: TradedStock;
  readonly action: Action;
  readonly kind: LegKind;
  /** The signed amount before it. */
  readonly held: Decimal;
  /** The part of the move that closes, by amount and by value. */
  readonly closedAmount: Decimal;
  readonly closedValue: Decimal;
  /** Value added on the far side: the part that takes cash. */
  readonly addedValue: Decimal;
  readonly targetValue: Decimal;
  /** Why, for people: most moves are too small for an order, and nobody reads of them. */
  readonly intent: () => string;
}

const SMALL_EQUITY = decimal('0.005');
const SMALL_TARGET = decimal('0.1');
const HUNDRED = decimal('100');

const exitOf = (held: Decimal): Action => (held.gt(ZERO) ? 'sell' : 'buy');

export const priceOf = (stock: TradedStock, action: Action): Decimal =>
  action === 'buy' ? stock.ask : stock.bid;

/** The worst price that an order may be filled at; null where the venue has no limit orders. */
const worstPriceOf = (stock: TradedStock, action: Action): Decimal | null =>
  collarPrice(stock, action, { collar: stock.collar, ...stock.rules });

/** The largest whole number of steps that is not above `amount`. */
const wholeSteps = (amount: Decimal, step: Decimal): Decimal =>
  divide(amount, step, 'down', 0).times(step);

/** False when the broker would refuse the order as too small: it values a sale at its limit, which is below the bid. */
function isPlaceable(amount: Decimal, action: Action, stock: TradedStock): boolean {
  const { minAmount, minTotal } = stock.rules;
  const price = priceOf(stock, action);
  const least = min(price, worstPriceOf(stock, action) ?? price);
  return amount.gt(ZERO) && amount.gte(minAmount) && amount.times(least).gte(minTotal);
}

/** A holding that is too small to sell counts as flat (contract 4). */
function isDust(account: BrokerAccount, stockId: StockId, stock: TradedStock): boolean {
  const held = heldAmount(account, stockId);
  const sellable = wholeSteps(held.abs(), stock.rules.amountStep);
  return !isPlaceable(sellable, exitOf(held), stock);
}

/** Contract 4: what a leg that neither opens nor closes must exceed, by value. */
export const tolerance = (equity: Decimal, targetValue: Decimal, minTotal: Decimal): Decimal =>
  max(minTotal, min(equity.times(SMALL_EQUITY), targetValue.times(SMALL_TARGET)));

const percentText = (weight: Decimal): string => `${decimalText(weight.times(HUNDRED).round(2))}%`;

/**
 * The move that `weight` asks for, or undefined when there is none: also where the broker refuses to cross zero, and what is held on the
 * other side is too small to close.
 */
export function moveToward(
  account: BrokerAccount,
  stockId: StockId,
  stock: TradedStock,
  weight: Decimal,
): Move | undefined {
  const held = heldAmount(account, stockId);
  const value = heldValue(account, stockId);
  const wanted = weight.times(account.equity);
  const isFlat = isDust(account, stockId, stock);
  const isBeyond = wanted.abs().gt(value.abs());
  const isSameSide = wanted.gt(ZERO) === held.gt(ZERO);
  const from = (): string =>
    percentText(account.equity.gt(ZERO) ? divide(value, account.equity) : ZERO);
  const common = { stockId, stock, held, targetValue: wanted.abs() };
  const exit = exitOf(held);
  const entry: Action = wanted.gt(ZERO) ? 'buy' : 'sell';
  const whole = { closedAmount: held.abs(), closedValue: value.abs() };

  const isAcross = !held.eq(ZERO) && !isSameSide;
  if (wanted.eq(ZERO) || (isAcross && !stock.rules.crossesZero)) {
    if (isFlat) return undefined;
    const intent = (): string => `Close ${stock.symbol}, ${from()} of equity.`;
    return { action: exit, kind: 'close', addedValue: ZERO, intent, ...common, ...whole };
  }
  const intent = (): string =>
    `Bring ${stock.symbol} from ${from()} to ${percentText(weight)} of equity.`;
  if (!isFlat && !isSameSide) {
    return {
      action: entry,
      kind: 'reverse',
      addedValue: wanted.abs(),
      intent,
      ...common,
      ...whole,
    };
  }
  if (isFlat || isBeyond) {
    const addedValue = isFlat ? wanted.minus(value).abs() : wanted.abs().minus(value.abs());
    const kind = isFlat ? 'open' : 'increase';
    const nothing = { closedAmount: ZERO, closedValue: ZERO };
    return { action: entry, kind, addedValue, intent, ...common, ...nothing };
  }
  const closedValue = value.abs().minus(wanted.abs());
  const closedAmount = divide(held.abs().times(closedValue), value.abs(), 'down');
  return {
    closedAmount,
    closedValue,
    action: exit,
    kind: 'reduce',
    addedValue: ZERO,
    intent,
    ...common,
  };
}

/** True when gross exposure is no larger after it, so that it needs no cash. */
export const isReducing = (move: Move): boolean => move.addedValue.lte(move.closedValue);

/** The part of the move that closes; undefined when it only opens. */
export function closingPart(move: Move): Move | undefined {
  if (move.addedValue.eq(ZERO)) return move;
  if (move.closedValue.eq(ZERO)) return undefined;
  const intent = (): string => `Close ${move.stock.symbol}.`;
  return { ...move, kind: 'close', addedValue: ZERO, intent };
}

/**
 * What of the amount one order may be over. An amount of up to two orders is halved, so that what is left is not too small for an
 * order.
 */
function partOf(amount: Decimal, price: Decimal, { maxAmount, maxTotal }: TradingRules): Decimal {
  const most = min(maxAmount ?? amount, maxTotal ? divide(maxTotal, price, 'down') : amount);
  return amount.lte(most) ? amount : min(most, divide(amount, TWO, 'up'));
}

/**
 * In whole steps of the broker, and no more than it takes in one order at that price: a short that remains is a whole number of its
 * `shortStep`, nearer to what is held.
 */
function wholeAmount(move: Move, highest: Decimal): Decimal {
  const { stock, action, held, closedAmount, addedValue } = move;
  const { amountStep, shortStep } = stock.rules;
  const all = closedAmount.plus(divide(addedValue, priceOf(stock, action), 'down'));
  const raw = partOf(all, highest, stock.rules);
  const short = action === 'buy' ? ZERO.minus(held).minus(raw) : raw.minus(held);
  if (shortStep.lte(amountStep) || short.lte(ZERO)) return wholeSteps(raw, amountStep);
  const below = wholeSteps(short, shortStep);
  if (action === 'sell') return wholeSteps(max(ZERO, below.plus(held)), amountStep);
  const above = below.eq(short) ? below : below.plus(shortStep);
  return wholeSteps(max(ZERO, ZERO.minus(held).minus(above)), amountStep);
}

/**
 * The move as an order: rounded toward the smaller trade; undefined when it is too small to be worth it or placed. `whole` is the
 * move that it is a part of: a part is worth an order if the whole is.
 */
export function orderToward(
  move: Move,
  equity: Decimal,
  whole: Move = move,
): RebalanceOrder | undefined {
  const { stock, stockId, action, kind, intent } = move;
  const price = priceOf(stock, action);
  const limit = worstPriceOf(stock, action);
  const amount = wholeAmount(move, max(price, limit ?? price));
  if (!isPlaceable(amount, action, stock)) return undefined;
  if (limit?.lte(ZERO)) return undefined;
  const traded = whole.closedValue.plus(whole.addedValue);
  const least = tolerance(equity, move.targetValue, stock.rules.minTotal);
  if ((kind === 'reduce' || kind === 'increase') && traded.lte(least)) return undefined;
  return { stockId, action, kind, amount, price, limit, intent: intent() };
}
