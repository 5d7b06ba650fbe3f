import { describe, expect, it } from '@jest/globals';
import { id } from '@slipstream/domain';
import { anOrder } from '@slipstream/port-contracts';
import type { OrdersChanged } from '@slipstream/ports';
import fc from 'fast-check';
import { RecentOrders } from './recent-orders.js';

const changed = (strategy: string, version: number, orders = 1): OrdersChanged => ({
  strategyId: id<'strategy'>(strategy),
  at: version,
  version,
  changes: Array.from({ length: orders }, () => ({ kind: 'opened', order: anOrder() })),
});
const versions = (found: readonly OrdersChanged[] | undefined): number[] | undefined =>
  found?.map(({ version }) => version);
const A = id<'strategy'>('a');

describe('the latest changes of orders', () => {
  it.each([
    ['all of them', 3, 6, [4, 6]],
    ['those above the version', 4, 6, [6]],
    ['none for whoever has the last', 6, 6, []],
    ['none when the book has changed in other ways since', 6, 7, []],
    ['nothing certain before the first that is known', 2, 6, undefined],
    ['nothing certain of a version that the book does not have', 7, 6, undefined],
  ])('tell %s', (_, version, current, told) => {
    const recent = new RecentOrders();
    for (const one of [4, 6]) recent.add(changed('a', one));
    recent.add(changed('b', 1));
    expect(versions(recent.since(A, version, current))).toEqual(told);
  });

  it('tell of a strategy without any only that a client has its present version', () => {
    const recent = new RecentOrders();
    expect(recent.since(A, 5, 5)).toEqual([]);
    expect(recent.since(A, 4, 5)).toBeUndefined();
  });

  it('begin with those that were told before, and tell none of them twice', () => {
    const recent = new RecentOrders();
    recent.add(changed('a', 5));
    recent.addPast([changed('a', 3), changed('b', 8), changed('a', 4), changed('a', 5)]);
    recent.add(changed('a', 6));
    expect(versions(recent.since(A, 2, 6))).toEqual([3, 4, 5, 6]);
    expect(versions(recent.since(id('b'), 7, 8))).toEqual([8]);
  });

  it('are told once that were read before they were heard', () => {
    const recent = new RecentOrders();
    recent.addPast([changed('a', 3), changed('a', 4)]);
    recent.add(changed('a', 4));
    recent.add(changed('a', 5));
    expect(versions(recent.since(A, 2, 5))).toEqual([3, 4, 5]);
  });

  it('take no more room when each is of many orders', () => {
    const recent = new RecentOrders(100);
    for (const version of [1, 2, 3]) recent.add(changed('a', version, 40));
    expect(recent.since(A, 0, 3)).toBeUndefined();
    expect(versions(recent.since(A, 1, 3))).toEqual([2, 3]);
  });

  it('forget the oldest first, and never tell a part as if it were all', () => {
    const steps = fc.array(fc.tuple(fc.constantFrom('a', 'b'), fc.boolean()), { maxLength: 60 });
    fc.assert(
      fc.property(steps, fc.nat(60), fc.nat(8), (given, after, most) => {
        const recent = new RecentOrders(most);
        const book = new Map([...'ab'].map((name) => [name, 0]));
        const told: OrdersChanged[] = [];
        for (const [name, isOfOrders] of given) {
          const version = (book.get(name) ?? 0) + 1;
          book.set(name, version);
          if (!isOfOrders) continue;
          told.push(changed(name, version));
          recent.add(changed(name, version));
        }
        const current = book.get('a') ?? 0;
        const found = versions(recent.since(A, after, current));
        const all = told.filter(({ strategyId, version }) => strategyId === A && version > after);
        if (found) expect(found).toEqual(versions(all));
        else expect(after > current || all.length > 0 || after < current).toBe(true);
        // Whoever missed only what is still known hears of it.
        const last = told.slice(-most).filter(({ strategyId }) => strategyId === A);
        const [first] = last;
        if (first && most > 0 && after >= first.version - 1 && after <= current)
          expect(found).toEqual(versions(all));
      }),
    );
  });
});
