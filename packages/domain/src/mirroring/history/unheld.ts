import type { StockId, Timestamp } from '../../ids.js';
import type { Quote } from '../../market/stock.js';
import type { StockAction } from '../../market/stock-action.js';
import { splitAmount, splitPrice, splitRatio } from '../../market/split.js';
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

const NO_GAIN: UnheldGain = { notHeld: ZERO, leverageAndCaps: ZERO };

/** Shares of a stock that a target has and its account does not: signed, negative where the account has more. */
interface UnheldShares extends UnheldGain {
  /** Whether they are of a short position of the target, or of the account where the target has none: the ask values it. */
  readonly isShort: boolean;
  /** The price that they were last valued at. */
  readonly price: Decimal;
  /** When the last corporate action was made that the price is of after: later ones count. Not when it was read: an action may be of that moment. */
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
    /** When the newest corporate action of then was made. */
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

/** The shares after a corporate action, and what they lost by it for each share: nothing is left of them once their stock is delisted. */
function afterAction(
  shares: UnheldShares,
  action: StockAction,
): { readonly shares: UnheldShares; readonly fall: Decimal } {
  const { kind, figure } = action;
  if (kind === 'cash_dividend') return { shares, fall: ZERO.minus(figure) };
  if (kind === 'delisting') {
    const gone = { ...shares, price: figure, ...NO_GAIN };
    return { shares: gone, fall: shares.price.minus(figure) };
  }
  const ratio = splitRatio(action);
  const split = {
    ...shares,
    price: splitPrice(shares.price, ratio),
    notHeld: splitAmount(shares.notHeld, ratio).amount,
    leverageAndCaps: splitAmount(shares.leverageAndCaps, ratio).amount,
  };
  return { shares: split, fall: ZERO };
}

const isAny = ({ notHeld, leverageAndCaps }: UnheldGain): boolean =>
  !notHeld.eq(ZERO) || !leverageAndCaps.eq(ZERO);

/**
 * What was not held, at the prices of now, and what that gained since it was last valued: by the prices, and by the dividends and the
 * settlements that the target was paid. `actions` are of each stock, oldest first.
 */
export function revaluedUnheld(
  before: Unheld,
  now: {
    /** When the newest corporate action was made. */
    readonly at: Timestamp;
    readonly quoteOf: Quotes;
    readonly actions: ReadonlyMap<StockId, readonly StockAction[]>;
  },
): { readonly unheld: Unheld; readonly gain: UnheldGain } {
  let [notHeld, leverageAndCaps] = [ZERO, ZERO];
  const add = (shares: UnheldShares, fall: Decimal): void => {
    notHeld = notHeld.plus(shares.notHeld.times(fall));
    leverageAndCaps = leverageAndCaps.plus(shares.leverageAndCaps.times(fall));
  };
  const unheld = new Map<StockId, UnheldShares>();
  for (const [stockId, known] of before) {
    let present = known;
    for (const action of now.actions.get(stockId) ?? []) {
      if (action.createdAt <= known.at) continue;
      const { shares, fall } = afterAction(present, action);
      add(present, fall);
      present = shares;
    }
    if (!isAny(present)) continue;
    const price = priceOf(present, now.quoteOf(stockId)) ?? present.price;
    add(present, present.price.minus(price));
    unheld.set(stockId, { ...present, price, at: now.at });
  }
  const gain = { notHeld: round18(notHeld), leverageAndCaps: round18(leverageAndCaps) };
  return { unheld, gain };
}
