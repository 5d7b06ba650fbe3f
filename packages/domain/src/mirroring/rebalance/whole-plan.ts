import { type BrokerAccount, type TradedStock, heldAmount } from '../bot-account.js';
import { ZERO } from '../../numbers/decimal.js';
import type { StockId } from '../../ids.js';
import { type RebalanceOrder, onlyCloses, priceOf } from './order.js';
import type { Steps } from '../../steps.js';
import type { RebalancePlan } from './rebalance.js';

type Stocks = ReadonlyMap<StockId, TradedStock>;

/** The account as if the orders, one a stock, had filled at the quote. */
function asFilled(
  account: BrokerAccount,
  orders: readonly RebalanceOrder[],
  stocks: Stocks,
): BrokerAccount {
  const positions = new Map(account.positions.map((position) => [position.stockId, position]));
  let { cash, buyingPower } = account;
  for (const order of orders) {
    const { stockId, action, amount } = order;
    const stock = stocks.get(stockId);
    if (!stock) continue;
    const price = priceOf(stock, action);
    const signed = action === 'buy' ? amount : ZERO.minus(amount);
    const held = heldAmount(account, stockId).plus(signed);
    if (held.eq(ZERO)) positions.delete(stockId);
    else positions.set(stockId, { stockId, amount: held, price, value: held.times(price) });
    cash = cash.minus(signed.times(price));
    if (onlyCloses(order)) buyingPower = buyingPower.plus(amount.times(price));
  }
  return { ...account, cash, buyingPower, positions: [...positions.values()] };
}

/** Reductions, then what they pay for. */
const BATCHES = 2;

/**
 * All orders that lead to the target if each fills at its quote: the reductions and the increases after them. A bot sends only the
 * first batch and then plans again; nothing is sent of this one. The rest is as the last batch says. In steps.
 */
export function* wholePlan(
  account: BrokerAccount,
  stocks: Stocks,
  plan: (account: BrokerAccount) => Steps<RebalancePlan>,
): Steps<RebalancePlan> {
  const orders: RebalanceOrder[] = [];
  const traded = new Set<StockId>();
  let next = account;
  for (let batch = 1; ; batch += 1) {
    const planned = yield* plan(next);
    const fresh = planned.orders.filter(({ stockId }) => !traded.has(stockId));
    orders.push(...fresh);
    const isDone = fresh.length === 0 || batch === BATCHES || !planned.orders.every(onlyCloses);
    if (isDone) return { ...planned, orders };
    for (const { stockId } of fresh) traded.add(stockId);
    next = asFilled(next, fresh, stocks);
  }
}
