import { TWO, decimal } from '../../numbers/decimal.js';
import type { StockId, Timestamp } from '../../ids.js';
import { HOUR } from '../../time.js';
import { type AccountReading, isNear, knownAmount } from './expected-equity.js';
import type { LossWatch } from './watched-account.js';

const CENT = decimal('0.01');

/** From the booking of a split in the night to the first trades of its day. */
const PRICED_WITHIN = 8 * HOUR;

const isRecent = (at: Timestamp, watch: LossWatch, now: Timestamp): boolean =>
  at > watch.readAt && now - at < PRICED_WITHIN;

/**
 * The stock whose new shares the account has at the price of an old one: its broker has booked a split that is not booked here, and
 * nobody has traded the new shares yet. What a reading shows then is no loss. Undefined if there is none.
 */
export function splitInDoubt(watch: LossWatch, reading: AccountReading): StockId | undefined {
  const { activities, at, cash } = reading;
  const booked = (activities ?? []).filter((one) => isRecent(one.at, watch, at));
  const isOfSplit = (stockId: StockId): boolean =>
    booked.some((one) => one.kind === 'split' && one.stockId === stockId) &&
    !booked.some((one) => one.kind === 'transfer' && one.stockId === stockId);
  const [found] = [...watch.holdings].filter(([stockId, known]) => {
    const read = reading.holdings.get(stockId);
    if (!isOfSplit(stockId) || !read || reading.isInTransit(stockId)) return false;
    const change = knownAmount(watch, reading, stockId).minus(read.amount).times(read.price).abs();
    const isPaid = cash.minus(watch.cash).abs().times(TWO).gte(change);
    return isNear(read.price, known.price) && change.gte(CENT) && !isPaid;
  });
  return found?.[0];
}
