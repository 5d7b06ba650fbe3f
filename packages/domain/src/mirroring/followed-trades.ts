import type { StockId, StrategyId, Timestamp, TradeId } from '../ids.js';
import { ALL_JOINED, type Unjoined, unjoinedAfter } from './joining/join.js';
import { type Splits, ratioSince, splitAmount } from '../market/split.js';
import { type Decimal, ZERO, divide } from '../numbers/decimal.js';
import type { Action, Trade } from '../trading/order.js';

/** The most trades that one order names: the newest ones. */
export const MAX_TRADES_OF_ORDER = 100;

/** Trades of mirrored strategies in one stock that its bot has not followed to the end. */
export interface FollowedTrades {
  /** Newest first. */
  readonly tradeIds: readonly TradeId[];
  /** Sums of all of them, bought or sold, in shares of `at`. */
  readonly amount: Decimal;
  readonly gross: Decimal;
  /** The actions of these trades, each once. */
  readonly actions: readonly Action[];
  readonly at: Timestamp;
}

/** How far a bot has read the trades of the strategies that it mirrors. */
export interface Following {
  /** The newest trade of each strategy that it has read; null when there was none. */
  readonly seen: ReadonlyMap<StrategyId, TradeId | null>;
  readonly open: ReadonlyMap<StockId, FollowedTrades>;
  /** The positions of before its start that it does not follow. */
  readonly unjoined: Unjoined;
}

/** No trade was read. */
export const FOLLOWS_NOTHING: Following = {
  seen: new Map(),
  open: new Map(),
  unjoined: ALL_JOINED,
};

const NO_TRADES: FollowedTrades = { tradeIds: [], amount: ZERO, gross: ZERO, actions: [], at: 0 };

/** The trades in shares of today: a split changes their amount, not what was paid. */
function today(trades: FollowedTrades, stockId: StockId, splits: Splits): FollowedTrades {
  const ratio = ratioSince(splits, stockId, trades.at);
  if (!ratio) return trades;
  const at = splits.get(stockId)?.at(-1)?.at ?? trades.at;
  return { ...trades, amount: splitAmount(trades.amount, ratio).amount, at };
}

/** Adds one trade, which is newer than those before. */
function withTrade(before: FollowedTrades, trade: Trade, splits: Splits): FollowedTrades {
  const { id, stockId, action, amount, price, createdAt: at } = trade;
  const added = today(
    { tradeIds: [id], amount, gross: amount.times(price), actions: [action], at },
    stockId,
    splits,
  );
  return {
    tradeIds: [id, ...before.tradeIds].slice(0, MAX_TRADES_OF_ORDER),
    amount: before.amount.plus(added.amount),
    gross: before.gross.plus(added.gross),
    actions: [...new Set([...before.actions, action])],
    at: Math.max(before.at, added.at),
  };
}

/**
 * Takes the trades since the last reading, by strategy, newest first. Of a strategy that was not read before none is followed: the bot
 * joins what it holds. A strategy that is not mirrored any more is forgotten.
 */
export function withTrades(
  { seen, open, unjoined }: Following,
  read: ReadonlyMap<StrategyId, readonly Trade[]>,
  splits: Splits,
): Following {
  const next = new Map(
    [...open].map(([stockId, trades]) => [stockId, today(trades, stockId, splits)]),
  );
  for (const [strategyId, trades] of read) {
    if (!seen.has(strategyId)) continue;
    for (const trade of trades.toReversed()) {
      const { stockId } = trade;
      next.set(stockId, withTrade(next.get(stockId) ?? NO_TRADES, trade, splits));
    }
  }
  const newest = [...read].map(([strategyId, trades]): [StrategyId, TradeId | null] => [
    strategyId,
    trades[0]?.id ?? seen.get(strategyId) ?? null,
  ]);
  return { seen: new Map(newest), open: next, unjoined: unjoinedAfter(unjoined, read) };
}

/** What an order in the stock follows: the trades, and their volume-weighted price; null when there are none. */
export function followedBy(
  { open }: Following,
  stockId: StockId,
): { readonly tradeIds: readonly TradeId[]; readonly strategyPrice: Decimal | null } {
  const { tradeIds, amount, gross } = open.get(stockId) ?? NO_TRADES;
  return { tradeIds, strategyPrice: amount.gt(ZERO) ? divide(gross, amount) : null };
}
