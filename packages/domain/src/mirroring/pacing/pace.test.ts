import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { decimal } from '../../numbers/decimal.js';
import { DAY, HOUR, MINUTE } from '../../time.js';
import { clockTimes } from '../limits/trading-day.js';
import { FIRST_PACE, type Pace, opensAt, paceAfterOrders, paceFrom, paceInLine } from './pace.js';
import { type RebalanceRule, rebalanceRule, requireRebalance } from './rebalance-rule.js';

const at = (text: string): number => Date.parse(text);
const iso = (time: number): string => new Date(time).toISOString();

describe('the times that clocks show (contract 10)', () => {
  it.each([
    ['cryptocurrency', '15:30', '2026-03-08T15:29:59Z', '2026-03-07T15:30:00.000Z'],
    ['cryptocurrency', '15:30', '2026-03-08T15:30:00Z', '2026-03-08T15:30:00.000Z'],
    ['stock', '15:30', '2026-01-15T20:29:59Z', '2026-01-14T20:30:00.000Z'],
    ['stock', '15:30', '2026-01-15T20:30:00Z', '2026-01-15T20:30:00.000Z'],
    ['stock', '15:30', '2026-07-15T19:30:00Z', '2026-07-15T19:30:00.000Z'],
    // The clocks go forward on 2026-03-08 and back on 2026-11-01.
    ['stock', '15:30', '2026-03-08T19:29:00Z', '2026-03-07T20:30:00.000Z'],
    ['stock', '15:30', '2026-03-08T19:30:00Z', '2026-03-08T19:30:00.000Z'],
    ['stock', '15:30', '2026-11-01T20:30:00Z', '2026-11-01T20:30:00.000Z'],
    ['stock', '00:00', '2026-11-01T03:59:00Z', '2026-10-31T04:00:00.000Z'],
    ['stock', '23:59', '2026-11-02T04:59:00Z', '2026-11-02T04:59:00.000Z'],
  ] as const)('of %s at %s: the last before %s was %s', (security, time, now, last) => {
    expect(iso(clockTimes(security, time, at(now)).last)).toBe(last);
  });

  it('are a day apart, or an hour less or more when the clocks change, and around now', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: at('2026-01-01T00:00:00Z'), max: at('2028-01-01T00:00:00Z') }),
        fc.integer({ min: 0, max: 23 }),
        (now, hour) => {
          const { last, next } = clockTimes('stock', `${String(hour).padStart(2, '0')}:30`, now);
          expect(last <= now && now < next).toBe(true);
          expect([DAY - HOUR, DAY, DAY + HOUR]).toContain(next - last);
        },
      ),
    );
  });
});

describe('a paced rebalance (contract 10)', () => {
  it.each([
    [{}, /at least|must have/],
    [{ band: decimal('0') }, /band/],
    [{ band: decimal('0.51') }, /band/],
    [{ cooldownHours: 0 }, /cooldown_hours/],
    [{ cooldownHours: 1.5 }, /cooldown_hours/],
    [{ cooldownHours: 721 }, /cooldown_hours/],
    [{ at: '24:00' }, /at/],
    [{ at: '9:30' }, /at/],
  ])('refuses %j', (given, message) => {
    expect(() => requireRebalance(rebalanceRule(given))).toThrow(message);
  });

  it.each([
    'every_trade' as const,
    { band: decimal('0.5') },
    { cooldownHours: 720 },
    { at: '00:00' },
  ])('takes %j', (given) => {
    expect(() => requireRebalance(rebalanceRule(given))).not.toThrow();
  });

  const NOW = at('2026-01-15T20:00:00Z');
  const LAST = at('2026-01-14T20:30:00Z');
  const NEXT = at('2026-01-15T20:30:00Z');
  it.each<[string, Parameters<typeof rebalanceRule>[0], Partial<Pace>, number]>([
    ['at every trade', 'every_trade', { lastAt: NOW }, NOW],
    ['with a band alone', { band: decimal('0.1') }, { lastAt: NOW }, NOW],
    ['with a cooldown, never before', { cooldownHours: 2 }, {}, NOW],
    ['within a cooldown', { cooldownHours: 2 }, { lastAt: NOW - HOUR }, NOW + HOUR],
    ['after a cooldown', { cooldownHours: 2 }, { lastAt: NOW - 2 * HOUR }, NOW],
    [
      'while a rebalance goes on',
      { cooldownHours: 2 },
      { lastAt: NOW, begunAt: NOW - MINUTE },
      NOW,
    ],
    [
      'an hour after it began',
      { cooldownHours: 2 },
      { lastAt: NOW, begunAt: NOW - HOUR },
      NOW + 2 * HOUR,
    ],
    [
      'at once when the last rebalance was while the clock was ahead',
      { cooldownHours: 2 },
      { lastAt: NOW + DAY, begunAt: NOW + DAY },
      NOW,
    ],
    ['before the time of the day', { at: '15:30' }, { usedAt: LAST }, NEXT],
    ['after a time of the day that nothing used', { at: '15:30' }, { usedAt: LAST - DAY }, NOW],
    [
      'with both, a day later',
      { at: '15:30', cooldownHours: 24 },
      { usedAt: LAST, lastAt: LAST },
      NEXT,
    ],
    [
      'with both, two days later',
      { at: '15:30', cooldownHours: 48 },
      { usedAt: LAST, lastAt: LAST },
      NEXT + DAY,
    ],
  ])('may order %s', (_, given, pace, expected) => {
    const rule = rebalanceRule(given);
    expect(iso(opensAt(rule, { ...FIRST_PACE, ...pace }, 'stock', NOW))).toBe(iso(expected));
  });

  it('does not make up for a time that passed before the start, and uses one once it is in line', () => {
    const rule: RebalanceRule = rebalanceRule({ at: '15:30' });
    const started = paceFrom(FIRST_PACE, rule, 'stock', NOW);
    expect(opensAt(rule, started, 'stock', NOW)).toBe(NEXT);
    expect(opensAt(rule, started, 'stock', NEXT + HOUR)).toBe(NEXT + HOUR);
    const inLine = paceInLine(started, rule, 'stock', NEXT + HOUR);
    expect(opensAt(rule, inLine, 'stock', NEXT + 2 * HOUR)).toBe(NEXT + DAY);
  });

  it('takes up once more what a time of the day began and did not end, and no more of it', () => {
    const rule = rebalanceRule({ at: '15:30', cooldownHours: 24 });
    const begun = paceAfterOrders(paceFrom(FIRST_PACE, rule, 'stock', NOW), rule, 'stock', NEXT);
    const morning = NEXT + 18 * HOUR;
    expect(opensAt(rule, begun, 'stock', morning)).toBe(morning);
    const again = paceAfterOrders(begun, rule, 'stock', morning);
    expect(opensAt(rule, again, 'stock', morning + 30 * MINUTE)).toBe(morning + 30 * MINUTE);
    expect(opensAt(rule, again, 'stock', morning + HOUR)).toBe(NEXT + DAY);
    const inLine = paceInLine(begun, rule, 'stock', NEXT + MINUTE);
    expect(opensAt(rule, inLine, 'stock', morning)).toBe(NEXT + DAY);
  });

  it('whatever it does: rebalances begin a cooldown apart, and at the time of the day or later', () => {
    const minutes = fc.array(fc.integer({ min: 1, max: 500 }), { minLength: 20, maxLength: 60 });
    const hours = fc.integer({ min: 2, max: 30 });
    fc.assert(
      fc.property(minutes, hours, fc.boolean(), (waits, cooldownHours, isTimed) => {
        const rule = rebalanceRule({ cooldownHours, ...(isTimed && { at: '15:30' }) });
        let now = NOW;
        let pace = paceFrom(FIRST_PACE, rule, 'stock', now);
        const begins: number[] = [];
        for (const wait of waits) {
          now += wait * MINUTE;
          if (opensAt(rule, pace, 'stock', now) > now) continue;
          const goesOn = pace.begunAt !== null && now - pace.begunAt < HOUR;
          pace = paceAfterOrders(pace, rule, 'stock', now);
          if (!goesOn) begins.push(now);
          expect(
            opensAt(rule, pace, 'stock', pace.begunAt === null ? now : pace.begunAt + HOUR),
          ).toBeGreaterThan(now);
        }
        const slot = (time: number) => clockTimes('stock', '15:30', time).last;
        for (const [index, begin] of begins.entries()) {
          const before = begins[index - 1];
          if (before === undefined) continue;
          // Once more of the same time of the day, as it never came in line.
          if (isTimed && slot(begin) === slot(before)) {
            expect(begins.filter((other) => slot(other) === slot(begin)).length).toBe(2);
            continue;
          }
          const apart = isTimed ? slot(begin) - slot(before) + HOUR : begin - before;
          expect(apart).toBeGreaterThanOrEqual(cooldownHours * HOUR);
        }
      }),
      { numRuns: 200 },
    );
  });
});
