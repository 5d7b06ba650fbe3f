import { ZERO, decimal, divide, sum } from '../../numbers/decimal.js';
import type { StockId, Timestamp } from '../../ids.js';
import type { Splits } from '../../market/split.js';
import type { Quote } from '../../market/stock.js';
import type { BrokerAccount, BrokerPosition } from '../bot-account.js';
import type { AccountActivity } from '../limits/account-activity.js';
import { TRANSIT } from '../limits/expected-equity.js';
import { type HeldParts, inSharesOfNow } from './held-part.js';
import { isSamePrice } from './kept.js';

/** What the splits that only a broker has are found by. */
export interface ReportedSplits {
  readonly now: Timestamp;
  /** Those that are booked here. */
  readonly splits: Splits;
  /** Our latest quote, however old. */
  readonly quoteOf: (stockId: StockId) => Pick<Quote, 'bid' | 'ask'> | undefined;
  /** What the broker reports. */
  readonly activities: readonly AccountActivity[];
}

/** The bot's part of these stocks is smaller than it was, though something is left of it: a reverse split may have done it. */
export const hasFewer = (before: HeldParts, after: HeldParts): boolean =>
  [...before].some(([stockId, { own }]) => {
    const left = after.get(stockId)?.own;
    return left !== undefined && !left.eq(ZERO) && left.abs().lt(own.abs());
  });

/** Of a split that leaves more, prices do not tell whether it is in them. */
const MOST_LEFT = decimal('0.9');

/**
 * The account with the shares of a reverse split that only its broker has at the price of new ones: until somebody trades them, a broker may
 * show them at that of old ones. They are in transit then, as they will be once that price comes: neither lost, nor gone, nor traded.
 */
export function atPriceOfNewShares(
  account: BrokerAccount,
  known: HeldParts,
  { now, splits, quoteOf, activities }: ReportedSplits,
): BrokerAccount {
  const since = (kind: AccountActivity['kind'], stockId: StockId, seenAt: Timestamp): boolean =>
    activities.some(
      (one) =>
        one.kind === kind && one.stockId === stockId && one.at > seenAt && now - one.at < TRANSIT,
    );
  const positions = account.positions.map((position): BrokerPosition => {
    const { stockId, amount, price } = position;
    const [part, quote] = [known.get(stockId), quoteOf(stockId)];
    if (!part || !quote || !isSamePrice(price, quote)) return position;
    if (!since('split', stockId, part.seenAt) || since('transfer', stockId, part.seenAt))
      return position;
    const { kept, own } = inSharesOfNow(part, amount, splits.get(stockId) ?? [], now);
    const before = kept.plus(own);
    const isLeft = before.times(amount).gt(ZERO) && amount.abs().lt(before.abs().times(MOST_LEFT));
    if (!isLeft) return position;
    const value = before.times(price);
    return { ...position, price: divide(value, amount), value };
  });
  const worth = (list: readonly BrokerPosition[]) => sum(list.map(({ value }) => value));
  const more = worth(positions).minus(worth(account.positions));
  return more.eq(ZERO) ? account : { ...account, equity: account.equity.plus(more), positions };
}
