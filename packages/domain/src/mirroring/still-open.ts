import type { StockId } from '../ids.js';
import { ZERO } from '../numbers/decimal.js';
import { moveToward, orderToward } from './rebalance/order.js';
import type { Weights } from './rebalance/weights.js';
import type { BrokerAccount, TradedStock } from './bot-account.js';
import type { Following } from './followed-trades.js';

/** What stays to be followed once a plan was made: the trades in stocks that need another order. */
export function stillOpen(
  following: Following,
  account: BrokerAccount,
  weights: Weights,
  stocks: ReadonlyMap<StockId, TradedStock>,
): Following {
  const isOpen = (stockId: StockId): boolean => {
    const stock = stocks.get(stockId);
    const move = stock && moveToward(account, stockId, stock, weights.get(stockId) ?? ZERO);
    return move !== undefined && orderToward(move, account.equity) !== undefined;
  };
  return {
    ...following,
    open: new Map([...following.open].filter(([stockId]) => isOpen(stockId))),
  };
}
