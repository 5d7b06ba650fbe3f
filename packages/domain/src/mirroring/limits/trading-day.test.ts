import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { DAY, HOUR } from '../../time.js';
import { tradingDay } from './trading-day.js';

const start = (security: 'stock' | 'cryptocurrency', at: string) =>
  new Date(tradingDay(security, Date.parse(at))).toISOString();

describe('the day that limits count (contract 10)', () => {
  it.each([
    ['cryptocurrency', '2026-01-30T00:00:00Z', '2026-01-30T00:00:00.000Z'],
    ['cryptocurrency', '2026-01-30T23:59:59.999Z', '2026-01-30T00:00:00.000Z'],
    ['stock', '2026-01-30T04:59:59Z', '2026-01-29T05:00:00.000Z'],
    ['stock', '2026-01-30T05:00:00Z', '2026-01-30T05:00:00.000Z'],
    ['stock', '2026-07-01T03:59:59Z', '2026-06-30T04:00:00.000Z'],
    ['stock', '2026-07-01T04:00:00Z', '2026-07-01T04:00:00.000Z'],
    // The clocks go forward on 2026-03-08 and back on 2026-11-01.
    ['stock', '2026-03-08T04:59:59Z', '2026-03-07T05:00:00.000Z'],
    ['stock', '2026-03-08T20:00:00Z', '2026-03-08T05:00:00.000Z'],
    ['stock', '2026-03-09T03:59:59Z', '2026-03-08T05:00:00.000Z'],
    ['stock', '2026-03-09T04:00:00Z', '2026-03-09T04:00:00.000Z'],
    ['stock', '2026-11-01T20:00:00Z', '2026-11-01T04:00:00.000Z'],
    ['stock', '2026-11-02T04:59:59Z', '2026-11-01T04:00:00.000Z'],
    ['stock', '2026-11-02T05:00:00Z', '2026-11-02T05:00:00.000Z'],
  ] as const)('of %s at %s began at %s', (security, at, began) => {
    expect(start(security, at)).toBe(began);
  });

  it('is the one that the calendar of New York says', () => {
    const local = new Intl.DateTimeFormat('en-CA', {
      timeZone: 'America/New_York',
      dateStyle: 'short',
      timeStyle: 'medium',
      hourCycle: 'h23',
    });
    const [from, to] = [Date.UTC(2020, 0, 1), Date.UTC(2040, 0, 1)];
    fc.assert(
      fc.property(fc.integer({ min: from, max: to }), (at) => {
        const began = tradingDay('stock', at);
        expect(began).toBeLessThanOrEqual(at);
        expect(at - began).toBeLessThan(DAY + HOUR);
        expect(local.format(began)).toContain('00:00:00');
        expect(local.format(began).slice(0, 10)).toBe(local.format(at).slice(0, 10));
      }),
    );
  });
});
