import type { StockId, StrategyId } from '../../ids.js';
import { type Decimal, ONE, PLACES, ZERO, divide, min } from '../../numbers/decimal.js';
import type { Action, Trade } from '../../trading/order.js';
import type { Book } from '../../trading/book.js';
import { type BrokerAccount, heldValue } from '../bot-account.js';

/** Whether a bot takes what its strategies hold when it starts, or only what they open or increase later (contract 10). */
export const JOINS = ['all', 'new_only'] as const;
export type Join = (typeof JOINS)[number];

/** A position that a strategy held when its bot started, and that the bot has not joined. */
export interface UnjoinedPosition {
  /** The trades that increase it: buys of a long position, sells of a short one. */
  readonly increasedBy: Action;
  /** The part of it (0 to 1) that the bot held already when it started: this part is followed, but never increased. */
  readonly part: Decimal;
}

/** The positions of each strategy that the bot has not joined. */
export type Unjoined = ReadonlyMap<StrategyId, ReadonlyMap<StockId, UnjoinedPosition>>;

/** The bot follows everything that its strategies hold. */
export const ALL_JOINED: Unjoined = new Map();

type Held = Pick<BrokerAccount, 'positions' | 'equity'>;

const increaseOf = (amount: Decimal): Action => (amount.gt(ZERO) ? 'buy' : 'sell');

/** The target weights of an account. */
type TargetWeights = ReadonlyMap<StockId, Decimal>;

/** The part of an account that follows a strategy. */
interface Share {
  readonly strategyId: StrategyId;
  readonly percent: Decimal;
}

/** The part of a target that an account holds: 0 to 1. While the target cannot be valued, all of what is held counts. */
function heldPart(account: Held, stockId: StockId, amount: Decimal, target?: TargetWeights) {
  const held = heldValue(account, stockId);
  if (!target || !account.equity.gt(ZERO)) return held.times(amount).gt(ZERO) ? ONE : ZERO;
  const wanted = (target.get(stockId) ?? ZERO).times(account.equity);
  if (held.times(wanted).lte(ZERO)) return ZERO;
  return min(ONE, divide(held, wanted, 'down', 2 * PLACES));
}

/** What the strategies hold as a bot starts: none of it is joined. `target` has the weights of all of it, if they can be valued. */
export function unjoinedAtStart(
  allocations: readonly Share[],
  books: ReadonlyMap<StrategyId, Book>,
  account: Held,
  target?: TargetWeights,
): Unjoined {
  const followed = allocations.filter(({ percent }) => !percent.eq(ZERO));
  return new Map(
    followed.map(({ strategyId }) => [
      strategyId,
      new Map(
        [...(books.get(strategyId)?.positions.values() ?? [])].map(({ stockId, amount }) => [
          stockId,
          { increasedBy: increaseOf(amount), part: heldPart(account, stockId, amount, target) },
        ]),
      ),
    ]),
  );
}

/**
 * The positions that are still not joined after these trades, by strategy. Any trade that increases the position joins the whole
 * of it; so does one that opens it anew, which is such a trade as well. A strategy that was not read is not mirrored any more.
 */
export const unjoinedAfter = (
  unjoined: Unjoined,
  read: ReadonlyMap<StrategyId, readonly Pick<Trade, 'stockId' | 'action'>[]>,
): Unjoined =>
  new Map(
    [...unjoined].flatMap(([strategyId, positions]) => {
      const trades = read.get(strategyId);
      if (!trades) return [];
      const increased = new Set(trades.map(({ stockId, action }) => `${action} ${stockId}`));
      const left = [...positions].filter(
        ([stockId, { increasedBy }]) => !increased.has(`${increasedBy} ${stockId}`),
      );
      return [[strategyId, new Map(left)]];
    }),
  );

/** The positions that are still not joined with these books: none that is closed or on the other side. */
export const unjoinedIn = (unjoined: Unjoined, books: ReadonlyMap<StrategyId, Book>): Unjoined =>
  new Map(
    [...unjoined].map(([strategyId, positions]) => [
      strategyId,
      new Map(
        [...positions].filter(([stockId, { increasedBy }]) => {
          const amount = books.get(strategyId)?.positions.get(stockId)?.amount;
          return amount !== undefined && increaseOf(amount) === increasedBy;
        }),
      ),
    ]),
  );

/** The part of a strategy's position that the target contains. */
export const joinedPart = (
  unjoined: Unjoined,
  strategyId: StrategyId,
  stockId: StockId,
  weight: Decimal,
): Decimal => {
  const position = unjoined.get(strategyId)?.get(stockId);
  return position?.increasedBy === increaseOf(weight) ? position.part : ONE;
};

/** The stocks with a position that is not joined. `alone` has those that no strategy gives the bot otherwise. */
export function unjoinedStocks(
  unjoined: Unjoined,
  books: ReadonlyMap<StrategyId, Book>,
): { readonly stockIds: readonly StockId[]; readonly alone: ReadonlySet<StockId> } {
  const stockIds = new Set([...unjoined.values()].flatMap((positions) => [...positions.keys()]));
  const isGiven = (stockId: StockId): boolean =>
    [...books].some(
      ([strategyId, { positions }]) =>
        positions.has(stockId) && unjoined.get(strategyId)?.has(stockId) !== true,
    );
  return {
    stockIds: [...stockIds],
    alone: new Set([...stockIds].filter((stockId) => !isGiven(stockId))),
  };
}
