import { type Decimal, ZERO, sum } from '../../numbers/decimal.js';
import type { StockId } from '../../ids.js';
import type { BrokerAccount, BrokerPosition } from '../bot-account.js';
import type { KeptShorts } from '../limits/watched-account.js';
import type { HeldParts } from './held-part.js';

/**
 * The target without stocks that the owner holds on the other side: a broker nets both, so that the bot would trade what is kept.
 */
export function besideKept(
  target: ReadonlyMap<StockId, Decimal>,
  parts: HeldParts,
): { readonly weights: ReadonlyMap<StockId, Decimal>; readonly leftOut: readonly StockId[] } {
  const isAgainst = ([stockId, weight]: readonly [StockId, Decimal]): boolean =>
    weight.times(parts.get(stockId)?.kept ?? ZERO).lt(ZERO);
  return {
    weights: new Map([...target].filter((entry) => !isAgainst(entry))),
    leftOut: [...target].filter(isAgainst).map(([stockId]) => stockId),
  };
}

type IsListed = (stockId: StockId) => boolean;

const keptAmount = (
  { stockId, amount }: BrokerPosition,
  parts: HeldParts,
  isListed: IsListed,
): Decimal => (isListed(stockId) ? (parts.get(stockId)?.kept ?? ZERO) : amount);

/** The shorts among what is kept, for which cash is reserved. */
export const keptShortsOf = (
  { positions }: Pick<BrokerAccount, 'positions'>,
  parts: HeldParts,
  isListed: IsListed,
): KeptShorts =>
  new Map(
    positions.flatMap((position) => {
      const { stockId, price } = position;
      const amount = keptAmount(position, parts, isListed);
      return amount.lt(ZERO) ? [[stockId, { amount, price }]] : [];
    }),
  );

/**
 * The account without what is kept: the only account that a plan, its drift and a closure may see (contract 10). Positions of
 * instruments that the service does not list are always kept. A long holding that is kept leaves with its value. A short one
 * that is kept must be bought back one day: its value stays reserved, out of the cash.
 */
export function managedAccount(
  account: BrokerAccount,
  parts: HeldParts,
  isListed: IsListed,
): BrokerAccount {
  const keptOf = (position: BrokerPosition): Decimal => keptAmount(position, parts, isListed);
  const keptValues = account.positions.map((position) =>
    keptOf(position).eq(position.amount) ? position.value : keptOf(position).times(position.price),
  );
  const reserved = sum(keptValues.filter((value) => value.lt(ZERO)));
  const longs = sum(keptValues.filter((value) => value.gt(ZERO)));
  const positions = account.positions.flatMap((position): BrokerPosition[] => {
    const amount = position.amount.minus(keptOf(position));
    if (amount.eq(ZERO)) return [];
    const value = position.value.minus(keptOf(position).times(position.price));
    return [{ ...position, amount, value }];
  });
  return {
    ...account,
    equity: account.equity.minus(longs),
    cash: account.cash.plus(reserved),
    positions,
  };
}
