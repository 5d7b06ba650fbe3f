import { type Decimal, ZERO, decimal } from '../../numbers/decimal.js';
import type { StockId, Timestamp } from '../../ids.js';
import type { Splits } from '../../market/split.js';
import type { Quote } from '../../market/stock.js';
import type { BrokerAccount, BrokerPosition } from '../bot-account.js';
import { type HeldPart, type HeldParts, inSharesOfNow, isMadeOf } from './held-part.js';

/** What the names in an account are compared with. */
export interface KnownNames {
  readonly now: Timestamp;
  readonly splits: Splits;
  /** Our latest quote, however old: a stock whose symbol changed is quoted by nobody until both have its new one. */
  readonly quoteOf: (stockId: StockId) => Pick<Quote, 'bid' | 'ask'> | undefined;
  /** The price at which the account last told the holding, if it is known. */
  readonly lastPriceOf?: (stockId: StockId) => Decimal | undefined;
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
 * its shares, and of no other that is missing or new. Once it is known it is that one whatever becomes of its amount and its price.
 */
export function underKnownNames(
  account: BrokerAccount,
  known: HeldParts,
  { now, splits, quoteOf, lastPriceOf, isListed }: KnownNames,
): BrokerAccount {
  const namesTold = new Set(
    [...account.positions, ...(account.unpriced ?? [])].map(({ stockId }) => stockId),
  );
  const missing = [...known].filter(
    ([stockId, part]) => isListed(stockId) && !namesTold.has(stockId) && !totalOf(part).eq(ZERO),
  );
  const strange = account.positions.filter(
    ({ stockId }) => !isListed(stockId) && !known.has(stockId),
  );
  if (missing.length === 0 || strange.length === 0) return account;
  const isIt = (
    { amount, price }: BrokerPosition,
    [stockId, part]: readonly [StockId, HeldPart],
  ): boolean => {
    const last = lastPriceOf?.(stockId);
    const prices = [quoteOf(stockId), last && { bid: last, ask: last }];
    if (!prices.some((known) => known && isOfSameShares(price, known))) return false;
    const present = totalOf(inSharesOfNow(part, amount, splits.get(stockId) ?? [], now));
    const isSplit = !present.eq(totalOf(part));
    return isSplit ? isMadeOf(amount, present) : present.eq(amount);
  };
  const nameOf = new Map<StockId, StockId>();
  for (const [stockId, { toldAs }] of missing)
    if (toldAs && strange.some((one) => one.stockId === toldAs)) nameOf.set(toldAs, stockId);
  // Those that are known so are none of the others.
  const recognized = new Set(nameOf.values());
  const lost = missing.filter(([stockId]) => !recognized.has(stockId));
  const found = strange.filter(({ stockId }) => !nameOf.has(stockId));
  for (const position of found) {
    const [one, ...others] = lost.filter((each) => isIt(position, each));
    if (!one || others.length > 0) continue;
    if (!found.some((other) => other !== position && isIt(other, one)))
      nameOf.set(position.stockId, one[0]);
  }
  const positions = account.positions.map((position) => {
    const stockId = nameOf.get(position.stockId);
    return stockId === undefined ? position : { ...position, stockId };
  });
  return { ...account, positions };
}

/** The parts with the names by which the broker tells them now, where those are not the ones known here. */
export function withToldNames(
  parts: HeldParts,
  named: BrokerAccount,
  reported: BrokerAccount,
): HeldParts {
  const names = new Map(
    named.positions.map(({ stockId }, at) => [stockId, reported.positions[at]?.stockId]),
  );
  return new Map(
    [...parts].map(([stockId, part]): [StockId, HeldPart] => {
      const told = names.get(stockId);
      const { toldAs: before, ...rest } = part;
      if (told === undefined) return [stockId, part];
      if (told === stockId) return [stockId, before === undefined ? part : rest];
      return [stockId, { ...part, toldAs: told }];
    }),
  );
}
