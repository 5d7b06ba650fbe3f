import { type Decimal, PLACES, ZERO, divide } from '../numbers/decimal.js';
import type { StockId } from '../ids.js';
import { type BrokerAccount, heldValue } from './bot-account.js';
import type { Bot } from './bot.js';

/** The most stocks that each list of a bot names. */
export const MAX_LISTED_STOCKS = 100;

/** Whether the bot may open or add to a position of the stock. Reducing one is always allowed. */
export const mayTake = (
  { allowStocks, denyStocks }: Pick<Bot, 'allowStocks' | 'denyStocks'>,
  stockId: StockId,
): boolean =>
  !denyStocks.includes(stockId) && (allowStocks === null || allowStocks.includes(stockId));

/** The weight of a stock that the bot may not increase: at most as much as it holds, on the side that it holds. */
export function reducedOnly(
  account: Pick<BrokerAccount, 'positions' | 'equity'>,
  stockId: StockId,
  weight: Decimal,
): Decimal {
  const held = heldValue(account, stockId);
  if (!account.equity.gt(ZERO) || held.times(weight).lte(ZERO)) return ZERO;
  const present = divide(held, account.equity, 'down', 2 * PLACES);
  return weight.abs().gt(present.abs()) ? present : weight;
}

/**
 * The target without increases of the stocks that the bot may not take. Their share stays in cash: the others are not scaled up. What
 * the bot holds of them is reduced as the strategy reduces it.
 */
function withoutIncreases(
  target: ReadonlyMap<StockId, Decimal>,
  account: BrokerAccount,
  isTaken: (stockId: StockId) => boolean,
): { readonly weights: ReadonlyMap<StockId, Decimal>; readonly leftOut: readonly StockId[] } {
  const weights = new Map<StockId, Decimal>();
  const leftOut: StockId[] = [];
  for (const [stockId, wanted] of target) {
    const weight = isTaken(stockId) ? wanted : reducedOnly(account, stockId, wanted);
    if (!weight.eq(wanted)) leftOut.push(stockId);
    if (!weight.eq(ZERO)) weights.set(stockId, weight);
  }
  return { weights, leftOut };
}

/** The target within the lists of the bot (contract 10). */
export const withinLists = (
  target: ReadonlyMap<StockId, Decimal>,
  account: BrokerAccount,
  bot: Pick<Bot, 'allowStocks' | 'denyStocks'>,
): ReturnType<typeof withoutIncreases> =>
  withoutIncreases(target, account, (stockId) => mayTake(bot, stockId));

/** The target without increases of the stocks that the bot has not joined (contract 10, `join`). */
export const withinJoined = (
  target: ReadonlyMap<StockId, Decimal>,
  account: BrokerAccount,
  unjoined: ReadonlySet<StockId>,
): ReadonlyMap<StockId, Decimal> =>
  withoutIncreases(target, account, (stockId) => !unjoined.has(stockId)).weights;
