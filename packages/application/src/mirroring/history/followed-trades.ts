import {
  type Bot,
  type Following,
  type StrategyId,
  type Trade,
  type TradeId,
  ZERO,
  withTrades,
} from '@slipstream/domain';
import type { ReadStores } from '@slipstream/ports';
import { splitsSince } from './splits.js';

/** So many tell all news to a bot that is checked every minute. */
const FIRST_TRADES = 20;
const TRADES_AT_ONCE = 100;
/** Of a strategy that traded more than this since the last check, the newest ones. */
const MOST_TRADES = 500;

/** Newest first. Lists are by time, and the clock may have been set back since: the id of a later trade is the greater one. */
const byId = (trades: readonly Trade[]): readonly Trade[] =>
  trades.toSorted((one, other) => (one.id < other.id ? 1 : -1));

/** The strategy's trades after that one. */
export async function tradesAfter(
  trades: ReadStores['trades'],
  strategyId: StrategyId,
  last: TradeId | null,
): Promise<readonly Trade[]> {
  const found: Trade[] = [];
  const isLater = ({ id }: Trade): boolean => last === null || id > last;
  let cursor: TradeId | undefined;
  for (let limit = FIRST_TRADES; found.length < MOST_TRADES; limit = TRADES_AT_ONCE) {
    const page = await trades.list(strategyId, { limit, ...(cursor && { cursor }) });
    found.push(...page.filter(isLater));
    if (page.length < limit || !page.every(isLater)) break;
    cursor = page.at(-1)?.id;
  }
  return byId(found);
}

/** The trades of the mirrored strategies since they were last read. */
export async function readTrades(
  stores: Pick<ReadStores, 'trades' | 'stockActions'>,
  { following, allocations }: Pick<Bot, 'following' | 'allocations'>,
): Promise<Following> {
  const read = new Map<StrategyId, readonly Trade[]>();
  for (const { strategyId, percent } of allocations) {
    if (percent.eq(ZERO)) continue;
    const last = following.seen.get(strategyId);
    const trades =
      last === undefined
        ? byId(await stores.trades.list(strategyId, { limit: TRADES_AT_ONCE })).slice(0, 1)
        : await tradesAfter(stores.trades, strategyId, last);
    read.set(strategyId, trades);
  }
  const oldest = new Map([...following.open].map(([stockId, { at }]) => [stockId, at]));
  for (const { stockId, createdAt } of [...read.values()].flat())
    oldest.set(stockId, Math.min(createdAt, oldest.get(stockId) ?? createdAt));
  const splits =
    oldest.size > 0
      ? await splitsSince(stores, (stockId) => oldest.get(stockId) ?? Infinity)
      : new Map();
  return withTrades(following, read, splits);
}
