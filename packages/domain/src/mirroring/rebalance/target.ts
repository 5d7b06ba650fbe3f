import type { BrokerAccount, TradedStock } from '../bot-account.js';
import { heldValue } from '../bot-account.js';
import type { Bot } from '../bot.js';
import type { Book } from '../../trading/book.js';
import { type Decimal, ONE, TWO, ZERO, decimalText, divide, sum } from '../../numbers/decimal.js';
import type { StockId, StrategyId } from '../../ids.js';
import type { Market } from '../../market/market.js';
import { heldBound } from '../stock-lists.js';
import { ALL_JOINED, type Unjoined, joinedPart } from '../joining/join.js';
import { positionValue, strategyValue } from '../../performance/valuation.js';
import {
  type Bounds,
  NO_BOUNDS,
  WEIGHT_PLACES,
  type Weights,
  grossOf,
  lessWeights,
  scaledTo,
  withinBounds,
} from './weights.js';

/** The target that the strategies give an account, or the reason why nothing may be traded. */
export type Target =
  | {
      readonly kind: 'weights';
      readonly weights: Weights;
      /** At the shares of the allocations: before the strategies were scaled, and with what is not joined. */
      readonly whole: Weights;
      /** What of it went as the strategies were scaled. */
      readonly cut: Weights;
      /** On scaling, as text for users. */
      readonly notes: readonly string[];
    }
  | { readonly kind: 'unavailable'; readonly reason: string };

/** Position value / strategy_value of each stock; undefined while the value is not positive. */
function strategyWeights(book: Book, market: Pick<Market, 'quote'>): Weights | undefined {
  const value = strategyValue(book, market);
  if (!value?.gt(ZERO)) return undefined;
  const weights = new Map<StockId, Decimal>();
  for (const position of book.positions.values()) {
    const quote = market.quote(position.stockId);
    if (!quote) return undefined;
    const held = positionValue(position, quote);
    weights.set(position.stockId, divide(held, value, 'half_even', WEIGHT_PLACES));
  }
  return weights;
}

/** Away from zero: it is above `most`, and must not read the same. */
const UP = 3;

const scaling = (gross: Decimal, most: Decimal): string =>
  `scaled down from ${decimalText(gross.round(4, UP))}x to ${decimalText(most)}x`;

function add(total: Map<StockId, Decimal>, stockId: StockId, weight: Decimal): void {
  const before = total.get(stockId);
  total.set(stockId, before ? before.plus(weight) : weight);
}

/**
 * Contract 4: leverage x sum over strategies of percent x weight, each strategy's at most 2 gross; several strategies net
 * out. Of a position that the bot has not joined, only the part that it held at its start; the rest stays in cash.
 */
export function targetWeights(
  bot: Pick<Bot, 'leverage' | 'allocations'>,
  books: ReadonlyMap<StrategyId, Book>,
  market: Pick<Market, 'quote'>,
  unjoined: Unjoined = ALL_JOINED,
): Target {
  const total = new Map<StockId, Decimal>();
  const whole = new Map<StockId, Decimal>();
  const cut = new Map<StockId, Decimal>();
  const notes: string[] = [];
  for (const { strategyId, percent } of bot.allocations) {
    if (percent.eq(ZERO)) continue;
    const book = books.get(strategyId);
    const weights = book && strategyWeights(book, market);
    if (!weights) {
      const reason = `The value of strategy ${strategyId} is unavailable or not positive; nothing is traded.`;
      return { kind: 'unavailable', reason };
    }
    const gross = grossOf(weights);
    if (gross.gt(TWO)) notes.push(`Strategy ${strategyId} is ${scaling(gross, TWO)}.`);
    const factor = bot.leverage.times(percent);
    const scaled = scaledTo(weights, TWO);
    for (const [stockId, weight] of scaled) {
      const share = factor.times(weight);
      const part = joinedPart(unjoined, strategyId, stockId, weight);
      add(total, stockId, part === ONE ? share : share.times(part));
      add(whole, stockId, share);
    }
    for (const [stockId, weight] of lessWeights(weights, scaled)) {
      const share = factor.times(weight);
      add(whole, stockId, share);
      add(cut, stockId, share);
    }
  }
  const weights = new Map([...total].filter(([, weight]) => !weight.eq(ZERO)));
  return { kind: 'weights', weights, whole, cut, notes };
}

/** A target as an account can hold it. */
interface AttainableTarget {
  readonly weights: Weights;
  /** The same without its bounds, to be scaled further. */
  readonly unbound: Weights;
  /** Those given, and those of shorts that the broker lends no more of. */
  readonly bounds: Bounds;
  /** Before it was scaled to the account's maximum. */
  readonly unscaled: Weights;
  readonly notes: readonly string[];
}

/**
 * The target as this account can hold it: shorts that the broker lends no more of left out, but for what is held of them, then scaled to
 * its maximum. `nameOf` names stocks for people; `given` bounds what is not increased for another reason.
 */
export function attainableTarget(
  wanted: Weights,
  stocks: ReadonlyMap<StockId, TradedStock>,
  account: Pick<BrokerAccount, 'positions' | 'equity' | 'maxGross'>,
  nameOf: (stockId: StockId) => string,
  given: Bounds = NO_BOUNDS,
): AttainableTarget {
  const { maxGross } = account;
  const notes: string[] = [];
  const holdable = new Map<StockId, Decimal>();
  const bounds = new Map(given);
  for (const [stockId, weight] of wanted) {
    const stock = stocks.get(stockId);
    if (!stock) {
      // Of what is held the plan says that it is left as it is.
      if (heldValue(account, stockId).eq(ZERO))
        notes.push(`${nameOf(stockId)} is not traded by the broker and is left out.`);
    } else if (weight.lt(ZERO) && !stock.rules.allowsShort) {
      const held = heldBound(account, stockId, weight);
      if (held.eq(ZERO)) {
        notes.push(`The broker cannot hold a short of ${stock.symbol}; it is left out.`);
        continue;
      }
      if (weight.abs().gt(held) && !given.has(stockId))
        notes.push(`The broker lends no more of ${stock.symbol}: its short is not increased.`);
      bounds.set(stockId, held);
      holdable.set(stockId, weight);
    } else {
      holdable.set(stockId, weight);
    }
  }
  const unscaled = withinBounds(holdable, bounds);
  const gross = grossOf(unscaled);
  if (gross.gt(maxGross)) {
    notes.push(`The target is ${scaling(gross, maxGross)}, the most that the account may hold.`);
  }
  const unbound = scaledTo(holdable, maxGross, bounds);
  return { weights: withinBounds(unbound, bounds), unbound, bounds, unscaled, notes };
}

/** A stock's part of an account beside the target, as fractions of equity. */
export interface StockWeight {
  readonly stockId: StockId;
  /** Signed. */
  readonly weight: Decimal;
  readonly target: Decimal;
  /** Weight less target: positive when more is held than the target wants. */
  readonly difference: Decimal;
}

/** Every stock of the account and of the target; undefined while equity is not positive. */
export function weightsAgainst(
  account: Pick<BrokerAccount, 'equity' | 'positions'>,
  target: Weights,
): StockWeight[] | undefined {
  const { equity, positions } = account;
  if (!equity.gt(ZERO)) return undefined;
  const stockIds = new Set([...positions.map(({ stockId }) => stockId), ...target.keys()]);
  return [...stockIds].map((stockId) => {
    const weight = divide(heldValue(account, stockId), equity);
    const wanted = target.get(stockId) ?? ZERO;
    return { stockId, weight, target: wanted, difference: weight.minus(wanted) };
  });
}

/** Half the sum of |weight - target weight| over stocks and cash (contract 2); null while equity is not positive. */
export function driftOf(
  account: Pick<BrokerAccount, 'equity' | 'cash' | 'positions'>,
  target: Weights,
): Decimal | null {
  if (!account.equity.gt(ZERO)) return null;
  const stockIds = new Set([...target.keys(), ...account.positions.map(({ stockId }) => stockId)]);
  const { equity } = account;
  // Divided once, at the end: each weight rounded by itself would not sum to the last digit.
  const distances = [...stockIds].map((stockId) =>
    heldValue(account, stockId)
      .minus(equity.times(target.get(stockId) ?? ZERO))
      .abs(),
  );
  const cashTarget = equity.times(ONE.minus(sum(target.values())));
  const cashDistance = account.cash.minus(cashTarget).abs();
  return divide(sum(distances).plus(cashDistance), TWO.times(equity));
}
