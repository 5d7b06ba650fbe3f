import { describe, expect, it } from '@jest/globals';
import {
  type Figures,
  accountOf,
  rebalanced,
  stockOf,
  stocksOf,
  told,
  weightsOf,
} from '../../../tests/rebalance-builders.js';
import type { BrokerAccount } from '../bot-account.js';
import { decimal } from '../../numbers/decimal.js';
import { type RebalancePlan, planClosure } from './rebalance.js';
import { finish } from '../../steps.js';

const closed = (...asked: Parameters<typeof planClosure>): RebalancePlan =>
  finish(planClosure(...asked));

const zero = decimal('0');

describe('planning a rebalance (contract 4)', () => {
  const both = stocksOf(stockOf('A'), stockOf('B'));

  it.each([
    ['opens', '1000', {}, { A: '0.5' }, ['open: buy 50 A']],
    ['opens a short', '1000', {}, { A: '-0.5' }, ['open: sell 50 A']],
    ['increases', '500', { A: '50' }, { A: '0.8' }, ['increase: buy 30 A']],
    ['reduces', '500', { A: '50' }, { A: '0.2' }, ['reduce: sell 30 A']],
    ['closes', '500', { A: '50' }, {}, ['close: sell 50 A']],
    ['closes a short', '1500', { A: '-50' }, {}, ['close: buy 50 A']],
    ['closes what somebody else bought', '500', { B: '50' }, {}, ['close: sell 50 B']],
    ['reduces first', '0', { A: '100' }, { A: '0.5', B: '0.5' }, ['reduce: sell 50 A']],
    ['then increases', '500', { A: '50' }, { A: '0.5', B: '0.5' }, ['open: buy 50 B']],
    [
      'trades the largest first',
      '1000',
      {},
      { A: '0.2', B: '0.5' },
      ['open: buy 50 B', 'open: buy 20 A'],
    ],
    ['crosses zero at once', '500', { A: '50' }, { A: '-0.2' }, ['reverse: sell 70 A']],
    ['leaves what is in line', '500', { A: '50' }, { A: '0.5' }, []],
    ['leaves a change below 0.5 % of equity', '500', { A: '50' }, { A: '0.505' }, []],
    ['acts on a change above it', '500', { A: '50' }, { A: '0.506' }, ['increase: buy 0.6 A']],
    ['leaves a change below 10 % of a small target', '990', { A: '1' }, { A: '0.011' }, []],
    ['acts on a change above that', '990', { A: '1' }, { A: '0.0112' }, ['increase: buy 0.12 A']],
  ] as const)('%s', (_, cash, held, weights, expected) => {
    const plan = rebalanced(accountOf(cash, held), weightsOf(weights), both, zero);
    expect(told(plan)).toEqual(expected);
    expect(plan.waitsFor).toEqual([]);
  });

  it.each([
    ['by value', { maxTotal: decimal('200') }, { A: '0.5' }, ['open: buy 20 A']],
    [
      'by amount, in whole steps',
      { maxAmount: decimal('20.00009') },
      { A: '0.5' },
      ['open: buy 20 A'],
    ],
    [
      'into halves if it is less than two of them',
      { maxTotal: decimal('499') },
      { A: '0.5' },
      ['open: buy 25 A'],
    ],
    ['not if that is enough', { maxTotal: decimal('500') }, { A: '0.5' }, ['open: buy 50 A']],
  ])('divides what is more than the largest order, %s', (_, largest, weights, expected) => {
    const stocks = stocksOf(stockOf('A', largest));
    expect(told(rebalanced(accountOf('1000', {}), weightsOf(weights), stocks, zero))).toEqual(
      expected,
    );
  });

  it('closes what is more than the largest order by several, and leaves no rest too small for one', () => {
    const stocks = stocksOf(stockOf('A', { maxTotal: decimal('200'), minTotal: decimal('10') }));
    const sold: string[] = [];
    let held = decimal('50.03');
    while (held.gt(zero)) {
      const [order] = closed(accountOf('0', { A: held.toFixed() }), stocks).orders;
      if (!order) break;
      sold.push(order.amount.toFixed());
      held = held.minus(order.amount);
    }
    expect([sold, held.toFixed()]).toEqual([['20', '15.015', '15.015'], '0']);
  });

  it('divides a short into whole numbers of what the broker lends', () => {
    const stocks = stocksOf(stockOf('A', { maxAmount: decimal('7.5'), shortStep: decimal('2') }));
    const plan = rebalanced(accountOf('1000', {}), weightsOf({ A: '-0.2' }), stocks, zero);
    expect(told(plan)).toEqual(['open: sell 6 A']);
  });

  it('closes first where the broker refuses to cross zero', () => {
    const stocks = stocksOf(stockOf('A', { crossesZero: false }));
    const plan = rebalanced(accountOf('500', { A: '50' }), weightsOf({ A: '-0.2' }), stocks, zero);
    expect(told(plan)).toEqual(['close: sell 50 A']);
  });

  it.each([
    ['short beside a long', '0.05', '-0.2', 'The broker opens no short beside it.'],
    ['long beside a short', '-0.05', '0.2', 'The broker opens no long beside it.'],
  ])('opens no %s that is too small to close there', (_, held, weight, why) => {
    const stocks = stocksOf(stockOf('A', { crossesZero: false }));
    const account = accountOf('1000', { A: held });
    const plan = rebalanced(account, weightsOf({ A: weight }), stocks, zero);
    expect(plan).toMatchObject({ orders: [], waitsFor: [] });
    expect(plan.notes).toEqual([`${held} A is too small to sell and counts as flat. ${why}`]);
  });

  it('scales increases to the available cash, with slippage reserved', () => {
    const plan = rebalanced(
      accountOf('1000', {}, '1'),
      weightsOf({ A: '1' }),
      both,
      decimal('0.01'),
    );
    expect(told(plan)).toEqual(['open: buy 99.0099 A']);
    expect(plan.notes).toEqual([expect.stringContaining('scaled down to 99%')]);
  });

  it('rounds lots toward the smaller trade', () => {
    const stocks = stocksOf(stockOf('A', { amountStep: decimal('1') }));
    const plan = rebalanced(accountOf('1000', {}), weightsOf({ A: '0.559' }), stocks, zero);
    expect(told(plan)).toEqual(['open: buy 55 A']);
  });

  it.each([
    ['by value', { minTotal: decimal('50') }, { A: '0.049' }],
    ['by amount', { minAmount: decimal('6') }, { A: '0.05' }],
    ['by step', { amountStep: decimal('10') }, { A: '0.05' }],
  ])("reports an opening below the broker's minimum %s", (_, rules, weights) => {
    const stocks = stocksOf(stockOf('A', rules));
    const plan = rebalanced(accountOf('1000', {}), weightsOf(weights), stocks, zero);
    expect(plan.orders).toEqual([]);
    expect(plan.notes).toEqual([expect.stringContaining('below the broker')]);
  });

  it('reports an increase without cash', () => {
    const plan = rebalanced(
      accountOf('0', { A: '100' }, '1'),
      weightsOf({ A: '1', B: '0.5' }),
      both,
      zero,
    );
    expect(plan.orders).toEqual([]);
    expect(plan.notes).toEqual([expect.stringContaining('not enough cash')]);
  });

  it('waits for a closed market and continues with the others', () => {
    const stocks = stocksOf(stockOf('A', { session: 'closed' }), stockOf('B'));
    const plan = rebalanced(accountOf('500', { A: '50' }), weightsOf({ B: '0.3' }), stocks, zero);
    expect(told(plan)).toEqual(['open: buy 30 B']);
    expect(plan.waitsFor).toEqual(['A']);
  });

  it.each([
    ['opens', '1000', {}, { A: '-0.559' }, ['open: sell 55 A']],
    ['increases', '1200', { A: '-20' }, { A: '-0.559' }, ['increase: sell 35 A']],
    ['reduces', '1500', { A: '-50' }, { A: '-0.255' }, ['reduce: buy 24 A']],
    ['closes', '1500', { A: '-50' }, {}, ['close: buy 50 A']],
    ['turns into', '500', { A: '50.5' }, { A: '-0.2' }, ['reverse: sell 70.5 A']],
    ['turns out of', '1500', { A: '-50' }, { A: '0.2055' }, ['reverse: buy 70.55 A']],
    ['makes whole', '1505', { A: '-50.5' }, { A: '-0.255' }, ['reduce: buy 24.5 A']],
    ['opens none below one of', '1000', {}, { A: '-0.0099' }, []],
  ] as const)('%s a short in whole shares, while longs have fractions', (...row) => {
    const [, cash, held, weights, expected] = row;
    const stocks = stocksOf(stockOf('A', { shortStep: decimal('1') }));
    const plan = rebalanced(accountOf(cash, held), weightsOf(weights), stocks, zero);
    expect(told(plan)).toEqual(expected);
  });

  it("scales increases to the broker's buying power, with what it adds to each order", () => {
    const stocks = stocksOf(stockOf('A', { checkReserve: decimal('0.03') }));
    const account = { ...accountOf('1000', {}), buyingPower: decimal('515') };
    const plan = rebalanced(account, weightsOf({ A: '1' }), stocks, zero);
    expect(told(plan)).toEqual(['open: buy 50 A']);
    expect(plan.notes).toEqual([expect.stringContaining('scaled down to 50%')]);
  });

  const blocked = (allows: BrokerAccount['allows'], held: Figures) => ({
    ...accountOf('500', held),
    allows,
    because: 'pattern day trading',
  });

  it.each([
    ['closing', { A: '50' }, { A: '0.2', B: '0.5' }, ['reduce: sell 30 A'], 'only close positions'],
    ['closing', { A: '50' }, { A: '-0.5' }, ['close: sell 50 A'], 'only close positions'],
    ['closing', { A: '50' }, { A: '0.5', B: '0.5' }, [], 'only close positions'],
    ['closing', { A: '50' }, { A: '0.2' }, ['reduce: sell 30 A'], null],
    ['closing', { A: '50' }, { A: '0.5' }, [], null],
    ['nothing', { A: '50' }, { A: '0.2' }, [], 'trade nothing'],
    ['nothing', { A: '50' }, { A: '0.5' }, [], null],
  ] as const)('of an account that allows %s: %j to %j', (allows, held, weights, orders, why) => {
    const plan = rebalanced(blocked(allows, held), weightsOf(weights), both, zero);
    expect(told(plan)).toEqual(orders);
    const because = why && `The broker lets this account ${why}: pattern day trading.`;
    expect(plan.blocked).toBe(because);
  });

  it.each([
    ['open', 'A (no price)'],
    ['closed', 'A'],
    ['halted', 'A (halted)'],
  ] as const)('names what is in doubt, in a session that is %s', (session, name) => {
    const stocks = stocksOf({ ...stockOf('A', { session }), doubt: 'no price' });
    const plan = rebalanced(accountOf('500', { A: '50' }), weightsOf({}), stocks, zero);
    expect(plan).toMatchObject({ orders: [], waitsFor: [name] });
  });

  it('names what is halted', () => {
    const stocks = stocksOf(stockOf('A', { session: 'halted' }));
    const plan = rebalanced(accountOf('500', { A: '50' }), weightsOf({}), stocks, zero);
    expect(plan.waitsFor).toEqual(['A (halted)']);
  });

  it('trades nothing while equity is not positive', () => {
    const plan = rebalanced(accountOf('-500', { A: '50' }), weightsOf({ A: '1' }), both, zero);
    expect(plan.orders).toEqual([]);
    expect(plan.notes).toHaveLength(1);
  });
});

describe('planning a closure', () => {
  it('closes longs and shorts', () => {
    const stocks = stocksOf(stockOf('A'), stockOf('B'));
    expect(told(closed(accountOf('0', { A: '20', B: '-10' }), stocks))).toEqual([
      'close: sell 20 A',
      'close: buy 10 B',
    ]);
  });

  it('is not flat while the account may trade nothing', () => {
    const account = { ...accountOf('0', { A: '20' }), allows: 'nothing', because: null } as const;
    const plan = closed(account, stocksOf(stockOf('A')));
    expect(plan.orders).toEqual([]);
    expect(plan.blocked).toBe('The broker lets this account trade nothing.');
  });

  it('says once, in one sentence, why its broker lets it trade nothing', () => {
    const because = 'Alpaca has blocked the account.';
    const account = { ...accountOf('0', { A: '20' }), allows: 'nothing', because } as const;
    expect(closed(account, stocksOf(stockOf('A'))).blocked).toBe(
      'The broker lets this account trade nothing: Alpaca has blocked the account.',
    );
  });

  it('closes an account whose equity is gone', () => {
    const stocks = stocksOf(stockOf('A'));
    expect(told(closed(accountOf('-500', { A: '50' }), stocks))).toEqual(['close: sell 50 A']);
  });

  it('counts a holding that is too small to sell as flat, and names it', () => {
    const stocks = stocksOf(stockOf('A', { minTotal: decimal('5') }));
    const plan = closed(accountOf('100', { A: '0.4' }), stocks);
    expect(plan.orders).toEqual([]);
    expect(plan.waitsFor).toEqual([]);
    expect(plan.notes).toEqual(['0.4 A is too small to sell and counts as flat.']);
  });

  it.each([['whose market is closed', stocksOf(stockOf('A', { session: 'closed' }))]])(
    'is not flat while there is a position %s',
    (_, stocks) => {
      const plan = closed(accountOf('100', { A: '5' }), stocks);
      expect(plan.orders).toEqual([]);
      expect(plan.waitsFor).toEqual(['A']);
    },
  );

  it('waits for nothing that is not traded here', () => {
    const plan = closed(accountOf('100', { A: '5' }), stocksOf());
    expect([plan.orders, plan.waitsFor]).toEqual([[], []]);
  });
});
