import { type Bot, type BotOrder, type Decimal, type Trade, ZERO, sum } from '@slipstream/domain';
import type { ReadStores } from '@slipstream/ports';
import { tradesAfter } from '../history/followed-trades.js';

/** How often in one run a bot plans again because a strategy traded: one that trades all the time is mirrored too. */
export const PLANS_AGAIN = 3;

const signed = ({ action, amount }: Pick<Trade, 'action' | 'amount'>): Decimal =>
  action === 'buy' ? amount : ZERO.minus(amount);

const isToward = (action: BotOrder['action'], amount: Decimal): boolean =>
  action === 'buy' ? amount.gt(ZERO) : amount.lt(ZERO);

/**
 * Whether trades of mirrored strategies since the bot's plan make the order wrong: it would open or add to a position that none of them
 * has, or one of them traded the stock the other way on balance and the bot may plan again. The next plan follows a trade the same way.
 */
export async function isOvertaken(
  stores: Pick<ReadStores, 'trades' | 'books'>,
  { condition, allocations, following }: Bot,
  { stockId, action, closes }: Pick<BotOrder, 'stockId' | 'action' | 'closes'>,
  plansAgain: boolean,
): Promise<boolean> {
  if (condition !== 'active') return false;
  const back = action === 'buy' ? 'sell' : 'buy';
  let hasTraded = false;
  for (const { strategyId } of allocations) {
    const last = following.seen.get(strategyId);
    if (last === undefined) continue;
    const since = await tradesAfter(stores.trades, strategyId, last);
    const trades = since.filter((trade) => trade.stockId === stockId);
    hasTraded ||= trades.length > 0;
    if (plansAgain && isToward(back, sum(trades.map(signed)))) return true;
  }
  if (!hasTraded || closes) return false;
  for (const { strategyId, percent } of allocations) {
    const book = percent.gt(ZERO) ? await stores.books.find(strategyId) : undefined;
    if (isToward(action, book?.positions.get(stockId)?.amount ?? ZERO)) return false;
  }
  return true;
}
