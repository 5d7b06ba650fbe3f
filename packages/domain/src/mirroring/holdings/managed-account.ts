import { type Decimal, ZERO, sum } from '../../numbers/decimal.js';
import type { StockId } from '../../ids.js';
import type { BrokerAccount, BrokerPosition } from '../bot-account.js';
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

/**
 * The account without what is kept: the only account that a plan, its drift and a closure may see (contract 10). Positions of
 * instruments that the service does not list are always kept. A long holding that is kept leaves with its value. A short one
 * that is kept must be bought back one day: its value stays reserved, out of the cash.
 */
export function managedAccount(
  account: BrokerAccount,
  parts: HeldParts,
  isListed: (stockId: StockId) => boolean,
): BrokerAccount {
  const keptAmount = (position: BrokerPosition): Decimal =>
    isListed(position.stockId) ? (parts.get(position.stockId)?.kept ?? ZERO) : position.amount;
  const keptValues = account.positions.map((position) =>
    keptAmount(position).eq(position.amount)
      ? position.value
      : keptAmount(position).times(position.price),
  );
  const reserved = sum(keptValues.filter((value) => value.lt(ZERO)));
  const longs = sum(keptValues.filter((value) => value.gt(ZERO)));
  const positions = account.positions.flatMap((position): BrokerPosition[] => {
    const amount = position.amount.minus(keptAmount(position));
    if (amount.eq(ZERO)) return [];
    const value = position.value.minus(keptAmount(position).times(position.price));
    return [{ ...position, amount, value }];
  });
  return {
    ...account,
    equity: account.equity.minus(longs),
    cash: account.cash.plus(reserved),
    positions,
  };
}
