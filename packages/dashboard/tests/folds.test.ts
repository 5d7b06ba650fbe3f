import { describe, expect, it } from '@jest/globals';
import {
  type Order,
  type Positions,
  withOrder,
  withPositions,
  withValues,
} from '../src/service/folds.js';

const order = (order_id: string, more: Partial<Order> = {}) => ({ order_id, ...more }) as Order;
const book = (version: number, ...amounts: [string, string][]) =>
  ({
    version,
    positions: amounts.map(([stock_id, amount]) => ({ stock_id, amount })),
  }) as Positions;

describe('open orders', () => {
  it.each(['filled', 'cancelled', 'rejected'])('lose one that is %s', (event) => {
    expect(withOrder([order('a'), order('b')], event, order('a'))).toEqual([order('b')]);
  });

  it('show a change in its place, and a new one first', () => {
    const before = [order('a'), order('b')];
    const changed = order('b', { price: '2' });
    expect(withOrder(before, 'adjusted', changed)).toEqual([order('a'), changed]);
    expect(withOrder(before, 'opened', order('c'))).toEqual([order('c'), ...before]);
  });
});

describe('positions', () => {
  it('take new values when prices move, and nothing else', () => {
    const one = { stock_id: 'a', amount: '1', percent: '0.5', symbol: 'A' };
    const before = { version: 3, cash: '0.5', strategy_value: '1', positions: [one] };
    const values = { bid: '2', ask: '2', last: '2', value: '0.6', unrealized: '0.1' };
    const told = {
      ...{ strategy_id: 's', strategy_value: '1.1', version: 4 },
      positions: [
        { stock_id: 'a', percent: '0.55', ...values },
        { stock_id: 'unknown', percent: '1', ...values },
      ],
    };
    expect(withValues(before as unknown as Positions, told)).toEqual({
      ...{ version: 3, cash: '0.5', strategy_value: '1.1' },
      positions: [{ ...one, percent: '0.55', ...values }],
    });
    expect(withValues(undefined, told)).toBeUndefined();
  });

  it('take changes, lose closed ones, and keep the others', () => {
    const before = book(1, ['a', '1'], ['b', '2'], ['c', '3']);
    const told = book(2, ['b', '0'], ['c', '4'], ['d', '5']);
    expect(withPositions(before, told)).toEqual(book(2, ['a', '1'], ['c', '4'], ['d', '5']));
  });
});
