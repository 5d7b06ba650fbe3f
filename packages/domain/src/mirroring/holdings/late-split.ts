import { type Decimal, sum } from '../../numbers/decimal.js';
import type { StockId, Timestamp } from '../../ids.js';
import {
  type SplitRatio,
  type Splits,
  type StockSplit,
  ratioOf,
  splitAmount,
  splitPrice,
} from '../../market/split.js';
import type { Quote } from '../../market/stock.js';
import type { BrokerAccount, BrokerPosition } from '../bot-account.js';
import { TRANSIT, isNear } from '../limits/expected-equity.js';
import {
  type HeldPart,
  type HeldParts,
  afterEarlySplit,
  inSharesOfNow,
  isMadeOf,
} from './held-part.js';
import { isSamePrice } from './kept.js';

type Prices = Pick<Quote, 'bid' | 'ask'>;

/** What the splits that are not in an account yet are found by. */
export interface BookedSplits {
  readonly now: Timestamp;
  readonly splits: Splits;
  /** Our latest quote, in new shares. */
  readonly quoteOf: (stockId: StockId) => Prices | undefined;
}

/** An account in shares of now. */
export interface AccountOfNow {
  readonly account: BrokerAccount;
  /** The stocks whose broker is still to apply a split: an order in new shares would meet a holding in old ones. */
  readonly late: ReadonlySet<StockId>;
}

/** Whether such a split may be in a change that nothing explained, beside a trade of the owner: prices do not tell it. */
function mayBeEarly(
  { unexplained }: HeldPart,
  { newShares, oldShares }: SplitRatio,
  since: readonly StockSplit[],
): boolean {
  const isSmall = isSamePrice(newShares, { bid: oldShares, ask: oldShares });
  return (
    unexplained !== undefined && isSmall && since.some(({ at }) => at <= unexplained.at + TRANSIT)
  );
}

/** The splits that are booked here and that the broker is still to apply. */
interface LateSplit {
  readonly ratio: SplitRatio;
  /** The shares that they are applied to. */
  readonly known: Decimal;
}

/** What the broker is still to apply to the holding; undefined when nothing is. */
function stillToCome(
  { amount }: BrokerPosition,
  part: HeldPart,
  splits: Splits,
  { stockId, now }: { readonly stockId: StockId; readonly now: Timestamp },
): LateSplit | undefined {
  const { kept, own, seenAt } = part;
  const booked = (splits.get(stockId) ?? []).filter(({ at }) => at > seenAt && at > now - TRANSIT);
  // It has those up to the one that explains what came.
  const early = booked.findIndex((_, count) => afterEarlySplit(part, booked.slice(0, count + 1)));
  const since = booked.slice(early + 1);
  if (early !== -1 && since.length === 0) return undefined;
  // As many shares as before a split are those of before, unless they came by it.
  const total = kept.plus(own);
  const after = (count: number): Decimal => {
    const made = ratioOf(since.slice(0, count));
    return made ? splitAmount(total, made).amount : total;
  };
  const exact = since.findIndex((_, count) => amount.eq(after(count)));
  // Beside a small trade of the owner, where it cannot be what a split made.
  const isNearer = isNear(amount, total) && !isNear(amount, after(since.length));
  const count = exact === -1 && isNearer ? 0 : exact;
  const ratio = count === -1 ? undefined : ratioOf(since.slice(count));
  const isInDoubt = early === -1 && ratio !== undefined && mayBeEarly(part, ratio, since);
  return ratio && !isInDoubt ? { ratio, known: after(count) } : undefined;
}

const distance = (price: Decimal, { bid }: Prices): Decimal => price.minus(bid).abs();

/** The price of one new share: the broker may have it before it has the shares. */
function priceOfNow(price: Decimal, ratio: SplitRatio, quote: Prices): Decimal | undefined {
  const fitting = [price, splitPrice(price, ratio)].filter((one) => isSamePrice(one, quote));
  return fitting.toSorted((one, other) => distance(one, quote).cmp(distance(other, quote)))[0];
}

/** The holding at the price of one of its shares: a broker may have the shares of a split before it has their price. */
function atPriceOfNow(
  position: BrokerPosition,
  part: HeldPart | undefined,
  { now, splits, quoteOf }: BookedSplits,
): BrokerPosition {
  const { stockId, amount, price } = position;
  const [quote, made] = [quoteOf(stockId), splits.get(stockId) ?? []];
  const recent = made.filter(({ at }) => at > now - TRANSIT);
  if (!part || !quote || recent.length === 0 || isSamePrice(price, quote)) return position;
  const { kept, own } = inSharesOfNow(part, amount, made, now);
  if (!isMadeOf(amount, kept.plus(own))) return position;
  const prices = recent.map((_, from) => {
    const ratio = ratioOf(recent.slice(from));
    return ratio ? splitPrice(price, ratio) : price;
  });
  const present = prices.find((one) => isSamePrice(one, quote));
  return present ? { ...position, price: present, value: amount.times(present) } : position;
}

/**
 * The account with each holding in shares of now. A split that is booked here may reach the broker hours later, and its price of the stock
 * before that: the same shares at the price of new ones would be a loss, and what comes later would be the owner's. A split that has not
 * come after three days is not waited for. Where the shares come before their price, the price is that of new shares meanwhile.
 */
export function inSharesOfToday(
  account: BrokerAccount,
  known: HeldParts,
  { now, splits, quoteOf }: BookedSplits,
): AccountOfNow {
  const late = new Set<StockId>();
  const positions = account.positions.map((position) => {
    const { stockId, amount, price } = position;
    const [part, quote] = [known.get(stockId), quoteOf(stockId)];
    const toCome = part && stillToCome(position, part, splits, { stockId, now });
    if (!toCome) return atPriceOfNow(position, part, { now, splits, quoteOf });
    const { ratio, known: before } = toCome;
    const present = quote ? priceOfNow(price, ratio, quote) : splitPrice(price, ratio);
    // What came or went since is of new shares already.
    const scaled = splitAmount(before, ratio).amount.plus(amount.minus(before));
    if (!present || scaled.eq(amount)) return position;
    late.add(stockId);
    return { stockId, amount: scaled, price: present, value: scaled.times(present) };
  });
  if (positions.every((one, place) => one === account.positions[place])) return { account, late };
  const worth = (list: readonly BrokerPosition[]): Decimal => sum(list.map(({ value }) => value));
  const more = worth(positions).minus(worth(account.positions));
  return { account: { ...account, equity: account.equity.plus(more), positions }, late };
}
