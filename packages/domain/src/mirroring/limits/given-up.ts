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
  return own.eq(ZERO) ? amount : divide(amount.times(kept), kept.plus(own));
}

/**
 * What losses are measured by once a bot that took over what was there before is to keep it: what leaves is neither a loss nor a gain, and
 * what was lost of the rest stays lost. A short leaves with the cash that is reserved to buy it back.
 */
export function withoutKept(watch: LossWatch, parts: HeldParts): LossWatch {
  let { cash, givenUp = ZERO } = watch;
  const holdings = new Map<StockId, WatchedHolding>();
  const keptShorts = new Map(watch.keptShorts);
  for (const [stockId, { amount, price }] of watch.holdings) {
    const kept = keptOf(amount, parts, stockId);
    const worth = kept.times(price);
    if (worth.gt(ZERO)) givenUp = givenUp.plus(worth);
    if (worth.lt(ZERO)) {
      cash = cash.plus(worth);
      keptShorts.set(stockId, { amount: kept, price });
    }
    const left = amount.minus(kept);
    if (!left.eq(ZERO)) holdings.set(stockId, { amount: left, price });
  }
  return { ...watch, cash, holdings, givenUp, ...(keptShorts.size > 0 && { keptShorts }) };
}
