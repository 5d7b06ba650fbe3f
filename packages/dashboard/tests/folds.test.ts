import { describe, expect, it } from '@jest/globals';
import { type Order, type Positions, withOrder, withPositions } from '../src/service/folds.js';

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
  it('take changes, lose closed ones, and keep the others', () => {
    const before = book(1, ['a', '1'], ['b', '2'], ['c', '3']);
    const told = book(2, ['b', '0'], ['c', '4'], ['d', '5']);
    expect(withPositions(before, told)).toEqual(book(2, ['a', '1'], ['c', '4'], ['d', '5']));
  });
});
