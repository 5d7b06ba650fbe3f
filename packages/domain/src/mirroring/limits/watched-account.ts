import { type Decimal, ZERO, divide, max, sum } from '../../numbers/decimal.js';
import type { StockId, Timestamp } from '../../ids.js';
import { type StockSplit, splitAmount, splitPrice } from '../../market/split.js';

/** Changes of an account that nothing explained so far, in USD, none of them negative. */
export interface Unreported {
  /** When the oldest of them was seen. */
  readonly since: Timestamp;
  readonly came: Decimal;
  readonly went: Decimal;
  /** What the loss of what went is worth now: it grows with the account, because the bases of losses do. */
  readonly lost: Decimal;
}

/** Everything is explained so far. */
export const nothingUnreported = (since: Timestamp): Unreported => ({
  since,
  came: ZERO,
  went: ZERO,
  lost: ZERO,
});

/** A holding and what it was worth. */
export interface WatchedHolding {
  /** Signed, in the account's own units. */
  readonly amount: Decimal;
  /** The price that it was last valued at. */
  readonly price: Decimal;
}

/** The owner's shorts: the cash that buys them back is reserved, out of the bot's. */
export type KeptShorts = ReadonlyMap<StockId, WatchedHolding>;

/** What a bot's account holds as far as is known: its last reading and the fills since. Losses are measured against it. */
export interface LossWatch {
  /** When it began: the first reading has what the broker booked before. */
  readonly since: Timestamp;
  readonly readAt: Timestamp;
  readonly cash: Decimal;
  readonly holdings: ReadonlyMap<StockId, WatchedHolding>;
  /** What cash was reserved for by the last reading; absent without any. */
  readonly keptShorts?: KeptShorts;
  /** When the day began that `dayStart` belongs to. */
  readonly day: Timestamp;
  readonly dayStart: Decimal;
  readonly peak: Decimal;
  /** The reported activities that are in the bases already, by their ids. */
  readonly counted: readonly string[];
  /** What came and went without a report, which may still follow. */
  readonly unreported: Unreported;
  /** What was the bot's and is its owner's since the last reading, at the prices of then: it goes out by the next one. */
  readonly leftToOwner?: ReadonlyMap<StockId, WatchedHolding>;
  /** The bot was off since the last reading: nobody knows what a day was worth that began meanwhile. */
  readonly resumes: boolean;
  /** Its owner acknowledged a breach: day and peak begin anew by the next reading. */
  readonly restarts?: boolean;
}

/** The equity as it was last known. */
export const lastEquity = ({ cash, holdings }: Pick<LossWatch, 'cash' | 'holdings'>): Decimal =>
  cash.plus(sum([...holdings.values()].map(({ amount, price }) => amount.times(price))));

/** What of the equity is its owner's since then. A short is worth nothing to the bot: it leaves with the cash to buy it back. */
export const worthLeftToOwner = ({ leftToOwner }: Pick<LossWatch, 'leftToOwner'>): Decimal =>
  sum(
    [...(leftToOwner?.values() ?? [])].map(({ amount, price }) => max(ZERO, amount.times(price))),
  );

/**
 * The account in new shares of a stock, for fills in new shares of an order that was made at `since`; the same when it was read after that
 * and since the split.
 */
export function watchedSplit(
  watch: LossWatch,
  stockId: StockId,
  { ratio, at }: StockSplit,
  since: Timestamp,
): LossWatch {
  const held = watch.holdings.get(stockId);
  if (!held || (watch.readAt >= at && watch.readAt > since)) return watch;
  const { amount } = splitAmount(held.amount, ratio);
  const holdings = new Map([
    ...watch.holdings,
    [stockId, { amount, price: splitPrice(held.price, ratio) }],
  ]);
  return { ...watch, holdings, readAt: at };
}

/** The account after an order of the bot traded so much more (signed), for that much cash (signed; positive is paid). */
export function watchedFill(
  watch: LossWatch,
  stockId: StockId,
  { filled, paid }: { readonly filled: Decimal; readonly paid: Decimal },
): LossWatch {
  const before = watch.holdings.get(stockId);
  const amount = (before?.amount ?? ZERO).plus(filled);
  const price = filled.eq(ZERO) ? before?.price : divide(paid, filled);
  const holdings = new Map(watch.holdings);
  if (amount.eq(ZERO)) holdings.delete(stockId);
  else holdings.set(stockId, { amount, price: before?.price ?? price ?? ZERO });
  return { ...watch, cash: watch.cash.minus(paid), holdings };
}
