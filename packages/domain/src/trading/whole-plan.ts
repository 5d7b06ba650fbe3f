import { type BrokerAccount, type TradedStock, heldAmount } from '../mirroring/bot-account.js';
import { ZERO } from '../numbers/decimal.js';
import type { StockId } from '../ids.js';
import { type RebalanceOrder, onlyCloses, priceOf } from './rebalance-order.js';
import type { RebalancePlan } from './rebalance.js';

type Stocks = ReadonlyMap<StockId, TradedStock>;

/** The account as if the order had filled at the quote. */
function asFilled(account: BrokerAccount, order: RebalanceOrder, stocks: Stocks): BrokerAccount {
  const stock = stocks.get(order.stockId);
  if (!stock) return account;
  const { stockId, action, amount } = order;
  const price = priceOf(stock, action);
  const signed = action === 'buy' ? amount : ZERO.minus(amount);
  const held = heldAmount(account, stockId).plus(signed);
  const others = account.positions.filter((position) => position.stockId !== stockId);
  const position = { stockId, amount: held, price, value: held.times(price) };
  const freed = onlyCloses(order) ? amount.times(price) : ZERO;
  return {
    ...account,
    cash: account.cash.minus(signed.times(price)),
    buyingPower: account.buyingPower.plus(freed),
    positions: held.eq(ZERO) ? others : [...others, position],
  };
}

/** Reductions, then what they pay for. */
const BATCHES = 2;

/**
 * All orders that lead to the target if each fills at its quote: the reductions and the increases after them. A bot sends only the
 * first batch and then plans again; nothing is sent of this one. The rest is as the last batch says.
 */
export function wholePlan(
  account: BrokerAccount,
  stocks: Stocks,
  plan: (account: BrokerAccount) => RebalancePlan,
): RebalancePlan {
  const orders: RebalanceOrder[] = [];
  const traded = new Set<StockId>();
  let next = account;
  for (let batch = 1; ; batch += 1) {
    const planned = plan(next);
    const fresh = planned.orders.filter(({ stockId }) => !traded.has(stockId));
    orders.push(...fresh);
    const isDone = fresh.length === 0 || batch === BATCHES || !planned.orders.every(onlyCloses);
    if (isDone) return { ...planned, orders };
    for (const order of fresh) {
      traded.add(order.stockId);
      next = asFilled(next, order, stocks);
    }
  }
}
