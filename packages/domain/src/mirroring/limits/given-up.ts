import { type Decimal, ZERO } from '../../numbers/decimal.js';
import type { StockId } from '../../ids.js';
import type { HeldParts } from '../holdings/held-part.js';
import { netted } from '../holdings/kept.js';
import type { LossWatch, WatchedHolding } from './watched-account.js';

/** As much of the owner's part as is in a holding that counted as the bot's as a whole. */
function keptOf(amount: Decimal, parts: HeldParts, stockId: StockId): Decimal {
  const part = parts.get(stockId);
  const kept = part ? netted(part).kept : ZERO;
  if (kept.times(amount).lte(ZERO)) return ZERO;
  return kept.abs().lt(amount.abs()) ? kept : amount;
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
