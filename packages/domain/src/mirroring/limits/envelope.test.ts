import { describe, expect, it } from '@jest/globals';
import { ONE, ZERO, decimal, decimalText } from '../../numbers/decimal.js';
import { id } from '../../ids.js';
import { DAY } from '../../time.js';
import {
  NEVER_REACHED,
  OVERTAKEN,
  envelopeOf,
  pausingStocks,
  restingStocks,
  stoppedToday,
  stuckStocks,
} from './envelope.js';
import { NO_LIMITS } from './limits.js';

type Order = Parameters<typeof restingStocks>[0][number];

const A = id<'stock'>('A');
const order = (change: Partial<Order> = {}): Order => ({
  stockId: A,
  status: 'rejected',
  closes: false,
  amount: decimal('10'),
  limitPrice: decimal('101'),
  filledAmount: ZERO,
  filledPrice: null,
  reason: 'no buying power',
  tradeIds: [],
  updatedAt: 0,
  ...change,
});
const thrice = (change: Partial<Order> = {}) => [order(change), order(change), order(change)];

describe('three rejections for one reason (contract 10)', () => {
  it.each<[string, Order[], boolean]>([
    ['two', [order(), order()], false],
    ['three', thrice(), true],
    [
      'three for reasons that differ by figures',
      ['1', '2.5', '3,000'].map((figure) => order({ reason: `has ${figure} USD` })),
      true,
    ],
    ['three for two reasons', [order(), order(), order({ reason: 'blocked' })], false],
    ['of three stocks', ['A', 'B', 'C'].map((name) => order({ stockId: id(name) })), false],
    ['of orders that only reduce', thrice({ closes: true }), false],
    ['without a reason', thrice({ reason: null }), true],
    ['of orders that were cancelled', thrice({ status: 'cancelled' }), false],
  ])('%s', (_, orders, rests) => {
    expect(restingStocks(orders).has(A)).toBe(rests);
  });
});

describe('three reductions that came to nothing', () => {
  const closing = { closes: true } as const;
  const unfilled = { ...closing, status: 'cancelled', reason: null } as const;

  it.each<[string, Order[], boolean]>([
    ['two rejected ones', [order(closing), order(closing)], false],
    ['three rejected for one reason', thrice(closing), true],
    [
      'three rejected for two reasons',
      [order(closing), order(closing), order({ ...closing, reason: 'blocked' })],
      false,
    ],
    ['three cancelled without a fill', thrice(unfilled), true],
    ['three cancelled with a part filled', thrice({ ...unfilled, filledAmount: ONE }), false],
    ['three open ones', thrice({ ...unfilled, status: 'open' }), false],
    ['three that increase', thrice(), false],
  ])('%s', (_, orders, isStuck) => {
    expect(stuckStocks(orders).has(A)).toBe(isStuck);
  });
});

describe('an order that comes to nothing', () => {
  const closing = order({ closes: true });
  const times = (count: number, change: Partial<Order> = {}) =>
    Array.from({ length: count }, () => ({ ...closing, ...change }));
  const filled = { ...closing, status: 'filled', filledAmount: ONE } as const;
  const unfilled = (count: number, trade = 'a') =>
    times(count, { status: 'cancelled', tradeIds: [id<'trade'>(trade)] });
  const unsent = (count: number) => times(count, { status: 'cancelled', reason: NEVER_REACHED });
  const partly = { ...closing, status: 'cancelled', filledAmount: ONE } as const;

  it.each<[string, Order[], number]>([
    ['twice', times(2), 0],
    ['three times', times(3), 8_000],
    ['eight times', times(8), 256_000],
    ['a hundred times', times(100), 1_800_000],
    ['twice, then for another', [...times(2), ...times(1, { reason: 'blocked' })], 0],
    ['three times, then filled, then once', [...times(3), filled, ...times(1)], 0],
    ['three times without a fill', unfilled(3), 8_000],
    ['a hundred times without a fill', unfilled(100), 240_000],
    ['three times without a fill, for two trades', [...unfilled(2), ...unfilled(1, 'b')], 0],
    ['twice without a fill, then rejected', [...unfilled(2), ...times(1)], 0],
    ['three times without reaching its broker', unsent(3), 0],
    ['without a fill, then filled in part', [...unfilled(3), partly], 0],
  ])('%s waits so long for its next try', (_, orders, pause) => {
    const pauses = (now: number): boolean => pausingStocks(orders, now).has(A);
    expect([pauses(pause - 1), pauses(pause)]).toEqual([pause > 0, false]);
  });

  it('does not wait for a try that was made while the clock was ahead', () => {
    expect(pausingStocks(times(3, { updatedAt: DAY }), 0).has(A)).toBe(false);
  });

  it('keeps its kind waiting alone: increases that are rejected rest for the day instead', () => {
    const pausing = (orders: Order[]) => {
      const { reductions, increases } = envelopeOf(NO_LIMITS, ONE, orders, 0).pausing;
      return [reductions.has(A), increases.has(A)];
    };
    expect(pausing(times(3))).toEqual([true, false]);
    expect(pausing(times(3, { closes: false }))).toEqual([false, false]);
    expect(pausing(times(3, { closes: false, status: 'cancelled' }))).toEqual([false, true]);
  });
});

describe('what is left of a day (contract 10)', () => {
  const left = (orders: readonly Order[]) => {
    const limits = { ...NO_LIMITS, maxOrdersPerDay: 3, maxTurnoverPerDay: decimal('0.5') };
    const { ordersLeft, turnoverLeft } = envelopeOf(limits, decimal('10000'), orders, 0);
    return [ordersLeft, turnoverLeft && decimalText(turnoverLeft)];
  };
  const filled = { filledAmount: decimal('4'), filledPrice: decimal('100') };

  it.each<[string, Order[], [number, string]]>([
    ['nothing was sent', [], [3, '5000']],
    ['a filled order', [order({ ...filled, status: 'filled' })], [2, '4600']],
    ['a part of a cancelled one', [order({ ...filled, status: 'cancelled' })], [2, '4600']],
    ['an open one counts whole, at its limit', [order({ ...filled, status: 'open' })], [2, '3994']],
    ['one whose state is unknown', [order({ status: 'unknown' })], [2, '3990']],
    ['rejected ones count as orders', thrice(), [0, '5000']],
    [
      'taken back before they were sent',
      thrice({ status: 'cancelled', reason: OVERTAKEN }),
      [3, '5000'],
    ],
    ['reductions that came to nothing count for half', thrice({ closes: true }), [2, '5000']],
    [
      'reductions that were cancelled without a fill, too',
      [...thrice({ closes: true, status: 'cancelled' }), order({ ...filled, status: 'filled' })],
      [1, '4600'],
    ],
    [
      'reductions count as well',
      [order({ ...filled, status: 'filled', closes: true })],
      [2, '4600'],
    ],
  ])('%s', (_, orders, expected) => {
    expect(left(orders)).toEqual(expected);
  });

  it.each([
    [null, null, null],
    [1, '0.01', null],
    [0, null, 'max_orders_per_day'],
    [null, '0', 'max_turnover_per_day'],
    [0, '-1', 'max_orders_per_day and max_turnover_per_day'],
  ])('%s orders and %s USD: stopped by %s', (ordersLeft, usd, word) => {
    const text = stoppedToday({ ordersLeft, turnoverLeft: usd === null ? null : decimal(usd) });
    if (word === null) expect(text).toBeNull();
    else expect(text).toContain(`${word} is reached`);
  });
});
