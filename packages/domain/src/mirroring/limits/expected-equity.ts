import { type Decimal, ONE, ZERO, decimal, divide, sum } from '../../numbers/decimal.js';
import type { StockId, Timestamp } from '../../ids.js';
import { DAY } from '../../time.js';
import { type Splits, ratioSince, splitAmount } from '../../market/split.js';
import type { AccountActivity } from './account-activity.js';
import type { KeptShorts, LossWatch, WatchedHolding } from './watched-account.js';

/** An account as it was just read, with the prices that value it. */
export interface AccountReading {
  readonly at: Timestamp;
  /** When the present day began. */
  readonly day: Timestamp;
  readonly cash: Decimal;
  readonly holdings: ReadonlyMap<StockId, WatchedHolding>;
  /** Today's price of a stock that is not held any more; undefined when there is none. */
  readonly priceOf: (stockId: StockId, amount: Decimal) => Decimal | undefined;
  /** Whether the broker's amounts and our prices belong to different shares: a split that only one side has. */
  readonly isInTransit: (stockId: StockId) => boolean;
  /** Every split since the last reading, and those that may have been in transit then. */
  readonly splits: Splits;
  /** The part (0 to 1) of a holding that is the bot's. */
  readonly ownPartOf: (stockId: StockId) => Decimal;
  /** The cash (never positive) that the owner spent by hand on holdings of his own. */
  readonly takenByHand: Decimal;
  /** The shares that are kept since the last reading, and their price: bought by hand, or come for others. */
  readonly cameToKept: ReadonlyMap<StockId, WatchedHolding>;
  /** What cash is reserved for; absent without any. */
  readonly keptShorts?: KeptShorts;
  /** The broker's latest report; null when it was not asked, or makes none. */
  readonly activities: readonly AccountActivity[] | null;
}

/** How long a split may take from one side to the other. */
export const TRANSIT = 3 * DAY;

const TENTH = decimal('0.1');

/** Whether they differ by a tenth at most. */
export const isNear = (value: Decimal, other: Decimal): boolean =>
  value.minus(other).abs().lte(other.abs().times(TENTH));

/**
 * What is known to be held of a stock whose shares are in doubt. As many shares as before, or another number of others that is worth
 * the same, are those that were known. Shares that came or went beside it are not.
 */
function valueInTransit(known: WatchedHolding, read: WatchedHolding): Decimal {
  const worth = read.amount.times(read.price);
  if (read.amount.eq(known.amount)) return worth;
  if (isNear(read.price, known.price)) return known.amount.times(read.price);
  const before = known.amount.times(known.price);
  return isNear(worth, before) ? worth : before;
}

/** Whether the amount read may be what a split made of the one that was known: about as much, or its whole shares. None is a sale. */
export const isMadeBySplit = (read: Decimal, scaled: Decimal): boolean =>
  !read.eq(ZERO) && (isNear(read, scaled) || read.eq(scaled.round(0, 0)));

/** Brokers count shares less exactly than a ratio does. */
export const HAIR = decimal('0.000001');

/** A broker that rounds parts of shares least exactly is off by less. */
const HUNDREDTH = decimal('0.01');

/**
 * Whether the amount read is what a split made of those before, though it was most likely seen already: as many, or as its broker rounds them
 * or those beside them. About as many may be a trade by hand beside a small split, and so may the next whole number. None is a sale.
 */
export function isMadeAgain(read: Decimal, made: Decimal, before: Decimal): boolean {
  if (read.eq(ZERO)) return false;
  const isSmall = isNear(made, before);
  const off = read.minus(made).abs();
  if (isNear(read, made) && off.lt(isSmall ? HUNDREDTH : ONE)) return true;
  const isWhole = (rounding: 'down' | 'up') => read.eq(divide(made, ONE, rounding, 0));
  return isWhole('down') || (isWhole('up') && !isSmall);
}

/**
 * The amount that is known to be held, in shares of today: as many of the last splits count as come nearest to the amount read. One from
 * before the last reading is most likely in that reading, so that it counts only if its amount is the one read.
 */
function knownAmount(watch: LossWatch, reading: AccountReading, stockId: StockId): Decimal {
  const { splits, holdings } = reading;
  const known = watch.holdings.get(stockId)?.amount ?? ZERO;
  const read = holdings.get(stockId)?.amount ?? ZERO;
  const recent = (splits.get(stockId) ?? []).filter(({ at }) => at >= watch.readAt - TRANSIT);
  return recent.reduceRight((nearest, { at }) => {
    const ratio = ratioSince(splits, stockId, at - 1);
    const scaled = ratio ? splitAmount(known, ratio).amount : known;
    const isNearer = read.minus(scaled).abs().lt(read.minus(nearest).abs());
    return isNearer && (at > watch.readAt || isMadeAgain(read, scaled, known)) ? scaled : nearest;
  }, known);
}

/** Today's price of a stock that is or was held. */
const priceToday = (
  watch: LossWatch,
  reading: AccountReading,
  stockId: StockId,
  amount: Decimal,
): Decimal =>
  reading.holdings.get(stockId)?.price ??
  reading.priceOf(stockId, amount) ??
  watch.holdings.get(stockId)?.price ??
  ZERO;

/** What the account should be worth by all that is known of it, at today's prices. */
export function expectedEquity(watch: LossWatch, reading: AccountReading): Decimal {
  const values = [...watch.holdings].map(([stockId, known]) => {
    const read = reading.holdings.get(stockId);
    if (read && reading.isInTransit(stockId)) return valueInTransit(known, read);
    const amount = knownAmount(watch, reading, stockId);
    return amount.times(priceToday(watch, reading, stockId, amount));
  });
  return watch.cash.plus(sum(values));
}

/**
 * The worth today of the shares of a stock that came (positive) or went, up to the reported changes of the amount that way. Those the
 * other way may have been of the owner's shares.
 */
export function worthOfChange(
  watch: LossWatch,
  reading: AccountReading,
  stockId: StockId,
  reported: readonly Decimal[],
): Decimal {
  const amount = knownAmount(watch, reading, stockId);
  const change = (reading.holdings.get(stockId)?.amount ?? ZERO).minus(amount);
  const thatWay = sum(reported.filter((moved) => moved.times(change).gt(ZERO)));
  const moved = thatWay.abs().lt(change.abs()) ? thatWay : change;
  return moved.times(priceToday(watch, reading, stockId, ONE));
}
