import { type Decimal, ZERO, divide } from '../../numbers/decimal.js';
import type { StockId } from '../../ids.js';
import type { HeldParts } from '../holdings/held-part.js';
import { netted } from '../holdings/kept.js';
import type { LossWatch, WatchedHolding } from './watched-account.js';

/**
 * The owner's part of a holding that counted as the bot's as a whole, also while it is known in other shares. Where it was left to the owner
 * before, there is only the bot's own.
 */
function keptOf(amount: Decimal, parts: HeldParts, stockId: StockId): Decimal {
  const part = parts.get(stockId);
  if (!part) return ZERO;
  const { kept, own } = netted(part);
  const isLeft = amount.eq(own) || kept.times(amount).lte(ZERO);
  if (isLeft) return ZERO;
  return divide(amount.times(kept), kept.plus(own));
}

/**
 * What losses are measured by once a bot that took over what was there before is to keep it: what leaves is neither a loss nor a gain, and
 * what was lost of the rest stays lost. A short leaves with the cash that is reserved to buy it back.
 */
export function withoutKept(watch: LossWatch, parts: HeldParts): LossWatch {
  let { cash } = watch;
  const holdings = new Map<StockId, WatchedHolding>();
  const leftToOwner = new Map<StockId, WatchedHolding>();
  const keptShorts = new Map(watch.keptShorts);
  for (const [stockId, { amount, price }] of watch.holdings) {
    const kept = keptOf(amount, parts, stockId);
    const theirs = { amount: kept, price };
    if (!kept.eq(ZERO)) leftToOwner.set(stockId, theirs);
    if (kept.lt(ZERO)) {
      cash = cash.plus(kept.times(price));
      keptShorts.set(stockId, theirs);
    }
    const left = amount.minus(kept);
    if (!left.eq(ZERO)) holdings.set(stockId, { amount: left, price });
  }
  if (leftToOwner.size === 0) return watch;
  return { ...watch, cash, holdings, leftToOwner, ...(keptShorts.size > 0 && { keptShorts }) };
}

/** The same once it is to take over what was there after all: what was left to the owner has never left, if the account was not read since. */
export function withKeptAgain({ leftToOwner, ...watch }: LossWatch): LossWatch {
  if (!leftToOwner) return watch;
  let { cash } = watch;
  const holdings = new Map(watch.holdings);
  const keptShorts = new Map(watch.keptShorts);
  for (const [stockId, { amount, price }] of leftToOwner) {
    if (amount.lt(ZERO)) cash = cash.minus(amount.times(price));
    keptShorts.delete(stockId);
    const left = holdings.get(stockId)?.amount ?? ZERO;
    holdings.set(stockId, { amount: left.plus(amount), price });
  }
  return { ...watch, cash, holdings, keptShorts };
}
