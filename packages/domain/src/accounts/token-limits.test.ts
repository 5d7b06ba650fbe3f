import { describe, expect, it } from '@jest/globals';
import { decimal } from '../numbers/decimal.js';
import { type TokenLimits, limitsUnder, requireWithinLimits } from './token-limits.js';

const limits = (notional: string | null, orders: number | null): TokenLimits => ({
  maxNotionalPerDay: notional === null ? null : decimal(notional),
  maxOrdersPerDay: orders,
});
const increases = (orders: number, notional: string) => ({ orders, notional: decimal(notional) });

describe('the limits of a new token', () => {
  it('are those that it is given, and none without', () => {
    expect(limitsUnder(null)).toBeNull();
    expect(limitsUnder(null, { maxOrdersPerDay: null })).toBeNull();
    expect(limitsUnder(null, limits('0.5', 3))).toEqual(limits('0.5', 3));
    expect(limitsUnder(null, { maxOrdersPerDay: 0 })).toEqual(limits(null, 0));
  });

  it('are those of its maker where none is given, and at most those', () => {
    expect(limitsUnder(limits('0.5', 3))).toEqual(limits('0.5', 3));
    expect(limitsUnder(limits('0.5', null), { maxOrdersPerDay: 7 })).toEqual(limits('0.5', 7));
    expect(limitsUnder(limits('0.5', 3), limits('0.5', 3))).toEqual(limits('0.5', 3));
    expect(limitsUnder(limits('0.5', 3), limits('0', 1))).toEqual(limits('0', 1));
  });

  it.each([
    [{ maxNotionalPerDay: decimal('0.500000000000000001') }, 'max_notional_per_day'],
    [{ maxNotionalPerDay: null }, 'max_notional_per_day'],
    [{ maxOrdersPerDay: 4 }, 'max_orders_per_day'],
    [{ maxOrdersPerDay: null }, 'max_orders_per_day'],
  ])('are refused above those of its maker: %j', (given, name) => {
    expect(() => limitsUnder(limits('0.5', 3), given)).toThrow(name);
  });
});

describe('increases beyond the limits of a token are refused', () => {
  it('counts orders', () => {
    expect(() =>
      requireWithinLimits(limits(null, 3), increases(1, '9'), increases(2, '9')),
    ).not.toThrow();
    expect(() =>
      requireWithinLimits(limits(null, 3), increases(2, '0'), increases(2, '0')),
    ).toThrow('may place 3 orders a day');
  });

  it('sums notionals to the last digit, and says what is left', () => {
    const most = limits('0.3', null);
    expect(() => requireWithinLimits(most, increases(9, '0.1'), increases(9, '0.2'))).not.toThrow();
    expect(() =>
      requireWithinLimits(most, increases(0, '0.1'), increases(1, '0.200000000000000001')),
    ).toThrow('0.2 is left, and this needs 0.200000000000000001');
  });
});
