import { type Decimal, ZERO, sum } from '../../numbers/decimal.js';
import type { StockId } from '../../ids.js';
import { ratioSince, splitAmount, splitPrice } from '../../market/split.js';
import { type AccountReading, TRANSIT, isMadeBySplit, isNear } from './expected-equity.js';
import type { LossWatch, WatchedHolding } from './watched-account.js';

const worthOf = ({ amount, price }: WatchedHolding): Decimal => amount.times(price);

const nearest = (
  some: readonly WatchedHolding[],
  distance: (one: WatchedHolding) => Decimal,
): WatchedHolding | undefined =>
  some.toSorted((one, other) => distance(one).cmp(distance(other)))[0];

/**
 * One of them in the shares that are read: as many of the last splits count as its amount shows, or its price where its owner traded it
 * beside them. One from before the last reading is most likely in that reading, so that it counts only if the price shows it, too.
 */
function inSharesRead(
  stockId: StockId,
  known: WatchedHolding,
  { amount, price }: Partial<Pick<WatchedHolding, 'amount'>> & Pick<WatchedHolding, 'price'>,
  { readAt, splits }: Pick<LossWatch, 'readAt'> & Pick<AccountReading, 'splits'>,
): WatchedHolding {
  const offPrice = (one: WatchedHolding): Decimal => one.price.minus(price).abs();
  const scaled = (splits.get(stockId) ?? []).flatMap(({ at }): WatchedHolding[] => {
    const ratio = at >= readAt - TRANSIT && ratioSince(splits, stockId, at - 1);
    if (!ratio) return [];
    const then = {
      amount: splitAmount(known.amount, ratio).amount,
      price: splitPrice(known.price, ratio),
    };
    return at > readAt || offPrice(then).lt(offPrice(known)) ? [then] : [];
  });
  const all = [known, ...scaled];
  const made = amount ? all.filter((one) => isMadeBySplit(amount, one.amount)) : [];
  const byAmount = amount && nearest(made, (one) => one.amount.minus(amount).abs());
  if (byAmount) return byAmount;
  const since = ratioSince(splits, stockId, readAt);
  const booked = since && splitAmount(known.amount, since).amount;
  // Too few would be a gain that no cash shows, so a loss; too many are neither.
  if (booked && (!amount || booked.lt(known.amount))) return { amount: booked, price };
  return nearest(all, offPrice) ?? known;
}

/** How much more one of them is worth by its price alone: its owner trades it by hand at the price of now, which the cash shows. */
function movedBy(
  stockId: StockId,
  known: WatchedHolding,
  { readAt }: LossWatch,
  { keptShorts, holdings, priceOf, splits, isInTransit }: AccountReading,
): Decimal {
  const read = keptShorts?.get(stockId);
  const price = (read ?? holdings.get(stockId))?.price ?? priceOf(stockId, known.amount);
  if (!price) return ZERO;
  const before = worthOf(known);
  const present = inSharesRead(stockId, known, { ...read, price }, { readAt, splits });
  // A split that only its broker has so far, by our price or where there is none. Otherwise its owner traded it.
  const isInDoubt = isInTransit(stockId) || !priceOf(stockId, known.amount);
  const isOfOtherShares =
    isInDoubt &&
    present === known &&
    read &&
    !isNear(price, known.price) &&
    isNear(worthOf(read), before);
  return (isOfOtherShares ? worthOf(read) : present.amount.times(price)).minus(before);
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
