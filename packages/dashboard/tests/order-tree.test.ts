import { describe, expect, it } from '@jest/globals';
import { treeOf } from '../src/figures/order-tree.js';
import type { Order } from '../src/service/folds.js';

const order = (order_id: string, ...order_dependencies: string[]) =>
  ({ order_id, order_dependencies }) as Order;
const shown = (...orders: Order[]) =>
  treeOf(orders).map(
    ({ order: { order_id }, depth, waiting }) => `${'-'.repeat(depth)}${order_id}:${waiting}`,
  );

describe('the tree of open orders', () => {
  it('has what waits below what it waits for', () => {
    expect(shown(order('c', 'b'), order('a'), order('b', 'a'), order('d'))).toEqual([
      'a:1',
      '-b:1',
      '--c:0',
      'd:0',
    ]);
  });

  it('has an order once that waits for two, and a root whose prerequisites are closed', () => {
    expect(shown(order('a'), order('b'), order('c', 'a', 'b'), order('e', 'gone'))).toEqual([
      'a:1',
      'b:1',
      '-c:0',
      'e:0',
    ]);
  });
});
