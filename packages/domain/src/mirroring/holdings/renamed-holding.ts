import { type Decimal, ZERO, decimal } from '../../numbers/decimal.js';
import type { StockId, Timestamp } from '../../ids.js';
import type { Splits } from '../../market/split.js';
import type { Quote } from '../../market/stock.js';
import type { BrokerAccount, BrokerPosition } from '../bot-account.js';
import { type HeldPart, type HeldParts, inSharesOfNow } from './held-part.js';

/** What the names in an account are compared with. */
export interface KnownNames {
  readonly now: Timestamp;
  readonly splits: Splits;
  /** Our latest quote, however old: a stock whose symbol changed is quoted by nobody until both have its new one. */
  readonly quoteOf: (stockId: StockId) => Pick<Quote, 'bid' | 'ask'> | undefined;
  readonly isListed: (stockId: StockId) => boolean;
}

/** The part of our latest price by which that of the same shares may differ: ours may be days old. */
const [LEAST, MOST] = [decimal('0.75'), decimal('1.25')];

const isOfSameShares = (price: Decimal, { bid, ask }: Pick<Quote, 'bid' | 'ask'>): boolean =>
  price.gte(bid.times(LEAST)) && price.lte(ask.times(MOST));

const totalOf = ({ kept, own }: Pick<HeldPart, 'kept' | 'own'>): Decimal => kept.plus(own);

/**
 * The account with each holding under the name by which it is known here. A symbol changes at a broker and at this service at different
 * moments: in between the broker tells the holding by a name that is not listed here. It is the one that is missing when it is of exactly
 * its shares, and of no other that is missing or new.
 */
export function underKnownNames(
  account: BrokerAccount,
  known: HeldParts,
  { now, splits, quoteOf, isListed }: KnownNames,
): BrokerAccount {
  const told = new Set(
    [...account.positions, ...(account.unpriced ?? [])].map(({ stockId }) => stockId),
  );
  const missing = [...known].filter(
    ([stockId, part]) => isListed(stockId) && !told.has(stockId) && !totalOf(part).eq(ZERO),
  );
  const strange = account.positions.filter(
    ({ stockId }) => !isListed(stockId) && !known.has(stockId),
  );
  if (missing.length === 0 || strange.length === 0) return account;
  const isIt = (
    { amount, price }: BrokerPosition,
    [stockId, part]: readonly [StockId, HeldPart],
  ): boolean => {
    const quote = quoteOf(stockId);
    if (!quote || !isOfSameShares(price, quote)) return false;
    const present = inSharesOfNow(part, amount, splits.get(stockId) ?? [], now);
    return totalOf(present).eq(amount);
  };
  const positions = account.positions.map((position) => {
    if (!strange.includes(position)) return position;
    const [found, ...others] = missing.filter((one) => isIt(position, one));
    if (!found || others.length > 0) return position;
    if (strange.some((other) => other !== position && isIt(other, found))) return position;
    return { ...position, stockId: found[0] };
  });
  return { ...account, positions };
}
