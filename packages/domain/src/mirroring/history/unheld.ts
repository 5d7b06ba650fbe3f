import type { StockId, Timestamp } from '../../ids.js';
import type { Quote } from '../../market/stock.js';
import { type Splits, ratioSince, splitAmount, splitPrice } from '../../market/split.js';
import { type Decimal, ZERO, decimal, divide, round18 } from '../../numbers/decimal.js';
import { type BrokerAccount, heldValue } from '../bot-account.js';
import type { Weights } from '../rebalance/weights.js';

/** What an account gained by not holding what its target does, in USD: negative where that rose. */
export interface UnheldGain {
  /** Of what the account could not hold or trade. */
  readonly notHeld: Decimal;
  /** Of what the caps on leverage and the limits of the bot took from the target. */
  readonly leverageAndCaps: Decimal;
}

/** Shares of a stock that a target has and its account does not: signed, negative where the account has more. */
interface UnheldShares extends UnheldGain {
  /** Whether they are of a short position of the target, or of the account where the target has none: the ask values it. */
  readonly isShort: boolean;
  /** The price that they were last valued at. */
  readonly price: Decimal;
  /** When that was: splits of after it change them. */
  readonly at: Timestamp;
}

/** What an account does not hold of its target, by stock. */
export type Unheld = ReadonlyMap<StockId, UnheldShares>;

/** Nothing is known to be unheld. */
export const NOTHING_UNHELD: Unheld = new Map();

/** A target as it was narrowed step by step, in weights of the account. */
export interface NarrowedTarget {
  /** At the shares of the bot's allocations, before anything was taken from it. */
  readonly whole: Weights;
  /** What the caps and the limits took from it. */
  readonly cut: Weights;
  /** What is left once everything was taken. */
  readonly weights: Weights;
}

type Quotes = (stockId: StockId) => Quote | undefined;

const priceOf = (
  { isShort }: Pick<UnheldShares, 'isShort'>,
  quote: Quote | undefined,
): Decimal | undefined => (isShort ? quote?.ask : quote?.bid);

/** A part of equity; what is less is the rounding of amounts. */
const LEAST = decimal('0.001');

/**
 * What the account does not hold of its target. A stock that is `inTransit` follows a trade or waits for its order: until then only what
 * was taken from the target counts, because the rest is the delay of that order. A stock without a quote has no price to count by.
 */
export function unheldOf(
  { whole, cut, weights }: NarrowedTarget,
  account: Pick<BrokerAccount, 'equity' | 'positions'>,
  seen: {
    /** As the reading of the account valued it. */
    readonly before: Unheld;
    readonly at: Timestamp;
    readonly quoteOf: Quotes;
    readonly isInTransit: (stockId: StockId) => boolean;
  },
): Unheld {
  const { equity, positions } = account;
  if (!equity.gt(ZERO)) return NOTHING_UNHELD;
  const least = equity.times(LEAST);
  const counted = (value: Decimal): Decimal => (value.abs().lt(least) ? ZERO : value);
  const unheld = new Map<StockId, UnheldShares>();
  for (const stockId of new Set([...whole.keys(), ...positions.map((held) => held.stockId)])) {
    const all = whole.get(stockId) ?? ZERO;
    const capped = cut.get(stockId) ?? ZERO;
    const isInTransit = seen.isInTransit(stockId);
    if (isInTransit && capped === ZERO && weights.get(stockId) === all) continue;
    const held = isInTransit
      ? (weights.get(stockId) ?? ZERO).times(equity)
      : heldValue(account, stockId);
    const leverageAndCaps = counted(capped.times(equity));
    const notHeld = counted(all.minus(capped).times(equity).minus(held));
    if (notHeld === ZERO && leverageAndCaps === ZERO) continue;
    const isShort = (all.eq(ZERO) ? held : all).lt(ZERO);
    const known = seen.before.get(stockId);
    const { price, at } =
      known?.isShort === isShort
        ? known
        : { price: priceOf({ isShort }, seen.quoteOf(stockId)), at: seen.at };
    if (!price?.gt(ZERO)) continue;
    unheld.set(stockId, {
      ...{ isShort, price, at },
      notHeld: divide(notHeld, price),
      leverageAndCaps: divide(leverageAndCaps, price),
    });
  }
  return unheld;
}

/** The shares once these splits of after `at` are in them. */
function inSharesOfNow(shares: UnheldShares, stockId: StockId, splits: Splits): UnheldShares {
  const ratio = ratioSince(splits, stockId, shares.at);
  if (!ratio) return shares;
  return {
    ...shares,
    price: splitPrice(shares.price, ratio),
    notHeld: splitAmount(shares.notHeld, ratio).amount,
    leverageAndCaps: splitAmount(shares.leverageAndCaps, ratio).amount,
  };
}

/** What was not held, at the prices of now, and what that gained since it was last valued. */
export function revaluedUnheld(
  before: Unheld,
  now: { readonly at: Timestamp; readonly quoteOf: Quotes; readonly splits: Splits },
): { readonly unheld: Unheld; readonly gain: UnheldGain } {
  let [notHeld, leverageAndCaps] = [ZERO, ZERO];
  const unheld = new Map<StockId, UnheldShares>();
  for (const [stockId, shares] of before) {
    const known = inSharesOfNow(shares, stockId, now.splits);
    const price = priceOf(known, now.quoteOf(stockId)) ?? known.price;
    const fall = known.price.minus(price);
    notHeld = notHeld.plus(known.notHeld.times(fall));
    leverageAndCaps = leverageAndCaps.plus(known.leverageAndCaps.times(fall));
    unheld.set(stockId, { ...known, price, at: now.at });
  }
  const gain = { notHeld: round18(notHeld), leverageAndCaps: round18(leverageAndCaps) };
  return { unheld, gain };
}
