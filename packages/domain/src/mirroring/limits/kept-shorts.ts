import { type Decimal, ZERO, sum } from '../../numbers/decimal.js';
import type { StockId } from '../../ids.js';
import { ratioSince, splitAmount } from '../../market/split.js';
import { type AccountReading, isMadeBySplit, isNear } from './expected-equity.js';
import type { LossWatch, WatchedHolding } from './watched-account.js';

const worthOf = ({ amount, price }: WatchedHolding): Decimal => amount.times(price);

/** How much more one of them is worth by its price alone: its owner trades it by hand at the price of now, which the cash shows. */
function movedBy(
  stockId: StockId,
  known: WatchedHolding,
  { readAt }: LossWatch,
  { keptShorts, holdings, priceOf, splits }: AccountReading,
): Decimal {
  const read = keptShorts?.get(stockId);
  const ratio = ratioSince(splits, stockId, readAt);
  const scaled = ratio ? splitAmount(known.amount, ratio).amount : known.amount;
  const before = worthOf(known);
  if (!read) {
    const price = holdings.get(stockId)?.price ?? priceOf(stockId, scaled);
    return price ? scaled.times(price).minus(before) : ZERO;
  }
  if (ratio && isMadeBySplit(read.amount, scaled)) return scaled.times(read.price).minus(before);
  // A split that only its broker has so far.
  const isOfOtherShares = !isNear(read.price, known.price) && isNear(worthOf(read), before);
  if (isOfOtherShares) return worthOf(read).minus(before);
  return known.amount.times(read.price.minus(known.price));
}

/**
 * What the cash that is reserved for the owner's shorts gained (negative: took) by their prices since the last reading. It is neither
 * gain nor loss of the bot.
 */
export const reserveMoved = (before: LossWatch, reading: AccountReading): Decimal =>
  sum(
    [...(before.keptShorts ?? [])].map(([stockId, known]) =>
      movedBy(stockId, known, before, reading),
    ),
  );
