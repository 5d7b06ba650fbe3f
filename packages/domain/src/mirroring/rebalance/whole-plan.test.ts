import { describe, expect, it } from '@jest/globals';
import { type Decimal, ONE, ZERO, decimal, decimalText } from '../../numbers/decimal.js';
import { id, type StockId } from '../../ids.js';
import type { BrokerAccount, TradedStock } from '../bot-account.js';
import { planRebalance } from './rebalance.js';
import { finish } from '../../steps.js';
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

const plannedFor = (begun: BrokerAccount, weights: ReadonlyMap<StockId, Decimal>): string[] => {
  const { orders } = finish(
    wholePlan(begun, stocks, (next) => planRebalance(next, weights, stocks, ZERO, String)),
  );
  return orders.map(({ action, amount, stockId }) => `${action} ${decimalText(amount)} ${stockId}`);
};

const ordersFor = (target: ReadonlyMap<StockId, string>): string[] =>
  plannedFor(account, new Map([...target].map(([stockId, weight]) => [stockId, decimal(weight)])));

describe('the whole plan', () => {
  it('has the reductions and the increases that they pay for', () => {
    expect(ordersFor(new Map([[BOLT, '0.5']]))).toEqual(['sell 10 acme', 'buy 5 bolt']);
  });

  it.each([
    ['a long', '10', '0', 'sell 5 acme'],
    ['a short', '-10', '2000', 'buy 5 acme'],
  ])('counts %s that is reduced as what is left of it', (_, held, cash, reduction) => {
    const amount = decimal(held);
    const price = decimal('100');
    const begun = {
      ...account,
      cash: decimal(cash),
      positions: [{ stockId: ACME, amount, price, value: amount.times(price) }],
    };
    const weights = new Map([
      [ACME, amount.div('20')],
      [BOLT, decimal('0.5')],
    ]);
    expect(plannedFor(begun, weights)).toEqual([reduction, 'buy 5 bolt']);
  });

  it('is the only batch where nothing is reduced, and empty where nothing is to do', () => {
    expect(ordersFor(new Map([[ACME, '1']]))).toEqual([]);
    expect(ordersFor(new Map([[ACME, '0.4']]))).toEqual(['sell 6 acme']);
  });

  it('gives way to other work after each 50 of its stocks, and not at all with a few', () => {
    const breaks = (count: number): number => {
      const names = Array.from({ length: count }, (_, index) => `S${index}`);
      const many = new Map(names.map((name) => [id<'stock'>(name), traded(name)]));
      const share = decimal('1').div(decimal(`${count}`));
      const weights = new Map([...many.keys()].map((stockId) => [stockId, share]));
      const million = decimal('1000000');
      const flat = {
        ...account,
        equity: million,
        cash: million,
        buyingPower: million,
        positions: [],
      };
      const steps = wholePlan(flat, many, (next) =>
        planRebalance(next, weights, many, ZERO, String),
      );
      let seen = 0;
      while (steps.next().done !== true) seen += 1;
      return seen;
    };
    expect(breaks(20)).toBe(0);
    // The moves, which of them are worth an order (before and after scaling), their rooms, the orders: each walks all stocks.
    expect(breaks(500)).toBe(5 * (500 / 50));
  });
});
