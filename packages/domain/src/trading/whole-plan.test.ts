import { describe, expect, it } from '@jest/globals';
import { ONE, ZERO, decimal, decimalText } from '../numbers/decimal.js';
import { id, type StockId } from '../ids.js';
import type { BrokerAccount, TradedStock } from '../mirroring/bot-account.js';
import { planRebalance } from './rebalance.js';
import { wholePlan } from './whole-plan.js';

const ACME: StockId = id('acme');
const BOLT: StockId = id('bolt');

const traded = (symbol: string): TradedStock => ({
  symbol,
  fee: ZERO,
  bid: decimal('100'),
  ask: decimal('100'),
  collar: ZERO,
  doubt: null,
  rules: {
    minTotal: ONE,
    minAmount: decimal('0.0001'),
    amountStep: decimal('0.0001'),
    shortStep: decimal('0.0001'),
    priceStep: decimal('0.01'),
    checkReserve: ZERO,
    allowsShort: true,
    crossesZero: true,
    session: 'open',
  },
});

const account: BrokerAccount = {
  equity: decimal('1000'),
  cash: ZERO,
  buyingPower: ZERO,
  maxGross: ONE,
  positions: [
    { stockId: ACME, amount: decimal('10'), price: decimal('100'), value: decimal('1000') },
  ],
  allows: 'all',
  because: null,
};

const stocks = new Map([
  [ACME, traded('ACME')],
  [BOLT, traded('BOLT')],
]);

const ordersFor = (target: ReadonlyMap<StockId, string>): string[] => {
  const weights = new Map([...target].map(([stockId, weight]) => [stockId, decimal(weight)]));
  const { orders } = wholePlan(account, stocks, (next) =>
    planRebalance(next, weights, stocks, ZERO),
  );
  return orders.map(({ action, amount, stockId }) => `${action} ${decimalText(amount)} ${stockId}`);
};

describe('the whole plan', () => {
  it('has the reductions and the increases that they pay for', () => {
    expect(ordersFor(new Map([[BOLT, '0.5']]))).toEqual(['sell 10 acme', 'buy 5 bolt']);
  });

  it('is the only batch where nothing is reduced, and empty where nothing is to do', () => {
    expect(ordersFor(new Map([[ACME, '1']]))).toEqual([]);
    expect(ordersFor(new Map([[ACME, '0.4']]))).toEqual(['sell 6 acme']);
  });
});
