import { type Decimal, PLACES, ZERO, divide } from '../numbers/decimal.js';
import type { StockId } from '../ids.js';
import { type BrokerAccount, heldValue } from './bot-account.js';
import type { Bot } from './bot.js';
import type { Bounds, Weights } from './rebalance/weights.js';

/** The most stocks that each list of a bot names. */
export const MAX_LISTED_STOCKS = 100;

/** Whether the bot may open or add to a position of the stock. Reducing one is always allowed. */
export const mayTake = (
  { allowStocks, denyStocks }: Pick<Bot, 'allowStocks' | 'denyStocks'>,
  stockId: StockId,
): boolean =>
  !denyStocks.includes(stockId) && (allowStocks === null || allowStocks.includes(stockId));

/** The most, without sign, of a stock that the bot may not increase: as much as it holds on the side of its weight. */
export function heldBound(
  account: Pick<BrokerAccount, 'positions' | 'equity'>,
  stockId: StockId,
  weight: Decimal,
): Decimal {
  const held = heldValue(account, stockId);
  if (!account.equity.gt(ZERO) || held.times(weight).lte(ZERO)) return ZERO;
  return divide(held, account.equity, 'down', 2 * PLACES).abs();
}

/**
 * The bounds of the stocks of a target that the bot may not take. Their share stays in cash: the others are not scaled up. What the bot
 * holds of them is reduced as the strategy reduces it.
 */
const boundsOf = (
  target: Weights,
  account: BrokerAccount,
  isTaken: (stockId: StockId) => boolean,
): Bounds =>
  new Map(
    [...target]
      .filter(([stockId]) => !isTaken(stockId))
      .map(([stockId, weight]) => [stockId, heldBound(account, stockId, weight)]),
  );

/** The bounds that the lists of the bot set its target (contract 10), and the stocks whose increases they leave out. */
export function listBounds(
  target: Weights,
  account: BrokerAccount,
  bot: Pick<Bot, 'allowStocks' | 'denyStocks'>,
): { readonly bounds: Bounds; readonly leftOut: readonly StockId[] } {
  const bounds = boundsOf(target, account, (stockId) => mayTake(bot, stockId));
  const isCut = ([stockId, most]: readonly [StockId, Decimal]): boolean =>
    target.get(stockId)?.abs().gt(most) === true;
  return { bounds, leftOut: [...bounds].filter(isCut).map(([stockId]) => stockId) };
}

/** The bounds of the stocks of the target that the bot has not joined (contract 10, `join`). */
export const joinBounds = (
  target: Weights,
  account: BrokerAccount,
  unjoined: ReadonlySet<StockId>,
): Bounds => boundsOf(target, account, (stockId) => !unjoined.has(stockId));
