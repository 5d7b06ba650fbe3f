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
import type { BrokerAccount, TradedStock } from '../bot-account.js';
import { type Envelope, UNBOUND } from '../limits/envelope.js';
import { id } from '../../ids.js';
import { decimal } from '../../numbers/decimal.js';

const zero = decimal('0');
const both = stocksOf(stockOf('A'), stockOf('B'));

/** Costs 10 to sell, and a hundredth more to buy. */
const spread = (symbol: string): TradedStock => ({ ...stockOf(symbol), ask: decimal('10.1') });

describe('the room for increases (contract 4)', () => {
  it.each<[string, BrokerAccount, Figures, string, readonly string[]]>([
    [
      'a short takes margin like a long',
      accountOf('1500', { A: '-50' }, '1'),
      { A: '-0.5', B: '1' },
      '0',
      ['open: buy 50 B'],
    ],
    [
      'what a reversal closes is room for its other side, and for others',
      accountOf('750', { A: '25' }, '1'),
      { A: '-0.5', B: '0.5' },
      '0',
      ['reverse: sell 75 A', 'open: buy 50 B'],
    ],
    [
      // 750 and what 250 bring, less 1 %: 997.5 for 1000 at 1 % more.
      'with slippage, on what is closed too',
      accountOf('750', { A: '25' }, '1'),
      { A: '-0.5', B: '0.5' },
      '0.01',
      ['reverse: sell 74.3811 A', 'open: buy 49.3811 B'],
    ],
    [
      'of the buying power as well',
      { ...accountOf('750', { A: '25' }), buyingPower: decimal('750') },
      { A: '-0.5', B: '0.5' },
      '0.01',
      ['reverse: sell 74.3811 A', 'open: buy 49.3811 B'],
    ],
    [
      // 500 and what 250 bring, less 1 %: 747.5 for 1500 at 1 % more.
      'which may leave less than the margin does',
      { ...accountOf('750', { A: '25' }), buyingPower: decimal('500') },
      { A: '-1', B: '0.5' },
      '0.01',
      ['reverse: sell 74.3399 A', 'open: buy 24.6699 B'],
    ],
    [
      'a holding that is too small to sell counts toward its target',
      accountOf('999.5', { A: '0.05' }),
      { A: '0.2' },
      '0',
      ['open: buy 19.95 A'],
    ],
    [
      'and one on the other side is bought back with it',
      accountOf('1000.5', { A: '-0.05' }),
      { A: '0.2' },
      '0',
      ['open: buy 20.05 A'],
    ],
    [
      // 601.1 wanted, 500 there: 1.1 of B would be 0.91, which is below the minimum of 1.
      'an increase that is too small once it is scaled leaves its share to the others',
      accountOf('500', { C: '50' }, '1'),
      { C: '0.5', A: '0.6', B: '0.0011' },
      '0',
      ['open: buy 50 A'],
    ],
  ])('%s', (_, account, weights, slippage, expected) => {
    const stocks = stocksOf(stockOf('A'), stockOf('B'), stockOf('C'));
    const plan = rebalanced(account, weightsOf(weights), stocks, decimal(slippage));
    expect(told(plan)).toEqual(expected);
  });

  it('the increases that it is not enough for are named', () => {
    const stocks = stocksOf(stockOf('A'), stockOf('B'), stockOf('C'));
    const weights = weightsOf({ C: '0.5', A: '0.6', B: '0.0011' });
    expect(rebalanced(accountOf('500', { C: '50' }, '1'), weights, stocks, zero).notes).toEqual([
      expect.stringContaining('scaled down to 83.33%'),
      'There is not enough cash to add B.',
    ]);
  });

  it.each([
    // 1000 / 1.01, at the ask.
    ['a long for the way back', '1', 'open: buy 98.0296 A'],
    // 1000 / 1.02, at the bid: it is sold there, valued at the ask and bought back at the ask.
    ['a short for its value too', '-1', 'open: sell 98.0392 A'],
  ])('the spread is reserved, of %s', (_, weight, expected) => {
    const plan = rebalanced(
      accountOf('1000', {}, '1'),
      weightsOf({ A: weight }),
      stocksOf(spread('A')),
      zero,
    );
    expect(told(plan)).toEqual([expected]);
  });

  it('the last increases are cut to what is left when each one before costs its limit', () => {
    const collared = (symbol: string) => ({ ...stockOf(symbol), collar: decimal('0.02') });
    const plan = rebalanced(
      accountOf('1000', {}, '1'),
      weightsOf({ A: '0.5', B: '0.5' }),
      stocksOf(collared('A'), collared('B')),
      decimal('0.01'),
    );
    // 495.05 each at 1 % slippage; at 2 % more A takes 504.95 of 1000, and B has 495.05 / 1.02.
    expect(told(plan)).toEqual(['open: buy 49.5049 A', 'open: buy 48.5342 B']);
    expect(plan.notes).toEqual([
      expect.stringContaining('scaled down to 99%'),
      expect.stringContaining('The last increases are scaled down until the others have filled'),
    ]);
  });
});

describe('the limits of a bot on its increases (contract 10)', () => {
  const limits = (change: Partial<Envelope['limits']>): Envelope => ({
    ...UNBOUND,
    limits: { ...UNBOUND.limits, ...change },
  });
  const wide: TradedStock = { ...stockOf('A'), bid: decimal('9.9'), ask: decimal('10.1') };

  it.each([
    // It holds 10 at the bid, 99: 201 are left, at the ask.
    ['a long at the bid', '900', '10', '0.5', 'increase: buy 19.9009 A'],
    // It holds -10 at the ask, -101: 199 are left, and each one sold at 9.9 counts 10.1.
    ['a short at the ask', '1100', '-10', '-0.5', 'increase: sell 19.7029 A'],
  ])('max_per_stock counts %s', (_, cash, held, weight, expected) => {
    const plan = rebalanced(
      accountOf(cash, { A: held }),
      weightsOf({ A: weight }),
      stocksOf(wide),
      zero,
      limits({ maxPerStock: decimal('0.3') }),
    );
    expect(told(plan)).toEqual([expected]);
    expect(plan.notes).toEqual(['Increases are cut to max_per_stock.']);
  });

  it.each([
    ['max_order', limits({ maxOrder: decimal('100') }), ['open: buy 10 A', 'open: buy 10 B']],
    ['max_capital', limits({ maxCapital: decimal('600') }), ['open: buy 50 A', 'open: buy 10 B']],
    ['max_gross', limits({ maxGross: decimal('0.6') }), ['open: buy 50 A', 'open: buy 10 B']],
    [
      'max_turnover_per_day',
      { ...UNBOUND, turnoverLeft: decimal('600') },
      ['open: buy 50 A', 'open: buy 10 B'],
    ],
    ['max_orders_per_day', { ...UNBOUND, ordersLeft: 1 }, ['open: buy 50 A']],
  ] as const)('%s cuts the last ones, and says so', (name, envelope, expected) => {
    const weights = weightsOf({ A: '0.5', B: '0.4' });
    const plan = rebalanced(accountOf('1000', {}), weights, both, zero, envelope);
    expect(told(plan)).toEqual(expected);
    expect(plan.notes).toEqual([`Increases are cut to ${name}.`]);
    expect(plan.blocked).toBeNull();
  });

  it('a part that max_order cuts off is worth an order if the whole is', () => {
    // 0.3 % of the equity is below what an increase must exceed, and 50 % is not.
    const plan = rebalanced(
      accountOf('900', { A: '10' }),
      weightsOf({ A: '0.5' }),
      both,
      zero,
      limits({ maxOrder: decimal('3') }),
    );
    expect(told(plan)).toEqual(['increase: buy 0.3 A']);
  });

  it('max_turnover_per_day counts reductions beside them, at their limits', () => {
    const A = id<'stock'>('A');
    const collared = stocksOf({ ...stockOf('A'), collar: decimal('0.02') }, stockOf('B'));
    const plan = rebalanced(
      accountOf('1200', { A: '-20' }),
      weightsOf({ A: '-0.1', B: '0.6' }),
      collared,
      zero,
      // Nothing waits for a reduction that comes to nothing again and again. It may cost 102.
      { ...UNBOUND, stuck: new Set([A]), turnoverLeft: decimal('602') },
    );
    expect(told(plan)).toEqual(['reduce: buy 10 A', 'open: buy 50 B']);
  });

  it.each([
    ['a reduction', '500', '50', 'reductions'],
    ['an increase', '900', '10', 'increases'],
  ] as const)(
    '%s that came to nothing again and again waits, and is named',
    (_, cash, held, what) => {
      const pausing = { ...UNBOUND.pausing, [what]: new Map([[id<'stock'>('A'), 'until 15:00']]) };
      const envelope = { ...UNBOUND, pausing };
      const weights = weightsOf({ A: '0.3' });
      const plan = rebalanced(accountOf(cash, { A: held }), weights, both, zero, envelope);
      expect(plan).toMatchObject({ orders: [], waitsFor: ['A (until 15:00)'] });
      // The other kind does not wait.
      const other = {
        ...UNBOUND,
        pausing: {
          ...UNBOUND.pausing,
          [what === 'reductions' ? 'increases' : 'reductions']: pausing[what],
        },
      };
      expect(
        rebalanced(accountOf(cash, { A: held }), weights, both, zero, other).orders,
      ).toHaveLength(1);
    },
  );

  it('one that leaves no room blocks, and is named', () => {
    const held = accountOf('500', { A: '50' });
    const weights = weightsOf({ A: '0.5', B: '0.5' });
    const plan = rebalanced(held, weights, both, zero, limits({ maxCapital: decimal('500') }));
    expect(plan).toMatchObject({ orders: [], notes: [] });
    expect(plan.blocked).toBe('Increases wait: max_capital leaves no room for an order.');
  });
});
