import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { addMonths, dayStart, isoDay, isoMinute } from './calendar.js';

const at = (text: string): number => Date.parse(text);

describe('a calendar month later (contract 5, "Billing")', () => {
  it.each([
    ['2026-01-15T12:34:56.789Z', 1, '2026-02-15T12:34:56.789Z'],
    ['2026-01-31T00:00:00.000Z', 1, '2026-02-28T00:00:00.000Z'],
    ['2026-01-31T00:00:00.000Z', 2, '2026-03-31T00:00:00.000Z'],
    ['2028-01-30T23:59:59.999Z', 1, '2028-02-29T23:59:59.999Z'],
    ['2100-01-31T00:00:00.000Z', 1, '2100-02-28T00:00:00.000Z'],
    ['2026-12-31T08:00:00.000Z', 1, '2027-01-31T08:00:00.000Z'],
    ['2026-08-31T08:00:00.000Z', 13, '2027-09-30T08:00:00.000Z'],
    ['2096-12-31T08:00:00.000Z', 1, '2097-01-31T08:00:00.000Z'],
    ['2026-05-05T08:00:00.000Z', 0, '2026-05-05T08:00:00.000Z'],
  ])('%s and %i months is %s', (from, months, to) => {
    expect(new Date(addMonths(at(from), months)).toISOString()).toBe(to);
  });

  it('keeps the time, moves by exactly that many months, and clamps to the last day only', () => {
    const moment = fc.integer({ min: at('1970-01-01'), max: at('2400-01-01') });
    fc.assert(
      fc.property(moment, fc.integer({ min: 0, max: 240 }), (anchor, months) => {
        const [from, to] = [new Date(anchor), new Date(addMonths(anchor, months))];
        const index = (date: Date) => date.getUTCFullYear() * 12 + date.getUTCMonth();
        const lastDay = new Date(Date.UTC(to.getUTCFullYear(), to.getUTCMonth() + 1, 0));
        expect(index(to) - index(from)).toBe(months);
        expect(to.getUTCDate()).toBe(Math.min(from.getUTCDate(), lastDay.getUTCDate()));
        expect(to.getTime() % 86_400_000).toBe(anchor % 86_400_000);
      }),
    );
  });
});

describe('a moment as text', () => {
  it('is that of ISO 8601, in every year that a request can name', () => {
    const moment = fc.integer({
      min: at('0000-01-01T00:00:00.000Z'),
      max: at('9999-12-31T23:59:59.999Z'),
    });
    fc.assert(
      fc.property(moment, (one) => {
        const text = new Date(one).toISOString();
        expect(isoDay(one)).toBe(text.slice(0, 10));
        expect(isoMinute(one)).toBe(`${text.slice(0, 10)} ${text.slice(11, 16)} UTC`);
        expect(dayStart(text.slice(0, 10))).toBe(at(`${text.slice(0, 10)}T00:00:00.000Z`));
      }),
      { examples: [[at('0001-01-01T00:00:00.000Z')], [-1], [at('2028-02-29T23:59:59.999Z')]] },
    );
  });
});
