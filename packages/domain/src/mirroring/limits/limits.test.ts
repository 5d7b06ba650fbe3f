import { describe, expect, it } from '@jest/globals';
import { ZERO, decimal } from '../../numbers/decimal.js';
import { type BotLimits, LIVE_LIMITS, NO_LIMITS, changedLimits, requireLimits } from './limits.js';

describe('the limits of a bot (contract 10)', () => {
  it('of real money have defaults, which null turns off', () => {
    expect(changedLimits(LIVE_LIMITS).maxOrdersPerDay).toBe(200);
    const off = { maxOrdersPerDay: null, maxTurnoverPerDay: null, maxDailyLoss: null };
    expect(changedLimits(LIVE_LIMITS, off)).toEqual(NO_LIMITS);
    expect(changedLimits(LIVE_LIMITS, { maxOrder: undefined })).toEqual(LIVE_LIMITS);
  });

  it.each<[Partial<BotLimits>, string]>([
    [{ maxCapital: ZERO }, 'max_capital'],
    [{ maxOrder: decimal('-1') }, 'max_order'],
    [{ maxGross: ZERO }, 'max_gross'],
    [{ maxPerStock: ZERO }, 'max_per_stock'],
    [{ maxTurnoverPerDay: ZERO }, 'max_turnover_per_day'],
    [{ maxOrdersPerDay: 0 }, 'max_orders_per_day'],
    [{ maxOrdersPerDay: 1.5 }, 'max_orders_per_day'],
    [{ maxDailyLoss: decimal('0.009') }, 'max_daily_loss'],
    [{ maxDrawdown: decimal('0.96') }, 'max_drawdown'],
  ])('%j is refused', (change, word) => {
    expect(() => requireLimits({ ...NO_LIMITS, ...change })).toThrow(word);
  });

  it('at their bounds are taken', () => {
    const maxDailyLoss = decimal('0.01');
    const maxDrawdown = decimal('0.95');
    expect(() => requireLimits({ ...LIVE_LIMITS, maxDailyLoss, maxDrawdown })).not.toThrow();
  });
});
