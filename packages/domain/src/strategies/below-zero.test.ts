import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import {
  ABOVE_ZERO,
  BELOW_ZERO_LIMITS,
  type BelowZero,
  type FreshValue,
  belowZeroAt,
  belowZeroPhase,
  freshValue,
} from './below-zero.js';
import { START, aBook, aMarket, aStock } from '../../tests/builders.js';
import { id } from '../ids.js';
import { decimal } from '../numbers/decimal.js';

const value = (text: string, until: number): FreshValue => ({ value: decimal(text), until });
const seen = (lasted: number, at: number, until: number): BelowZero => ({
  lasted,
  seen: { at, until },
});

describe('how long a value has been at or below zero (contract 7b.9)', () => {
  it.each<[string, BelowZero, FreshValue | null, number, BelowZero]>([
    ['begins with a fresh value of zero', ABOVE_ZERO, value('0', 90), 50, seen(0, 50, 90)],
    ['begins with one below it', ABOVE_ZERO, value('-0.1', 90), 50, seen(0, 50, 90)],
    ['does not begin above it', ABOVE_ZERO, value('1e-18', 90), 50, ABOVE_ZERO],
    ['does not begin without fresh quotes', ABOVE_ZERO, null, 50, { lasted: 0, seen: null }],
    [
      'goes on while the quotes are fresh',
      seen(5, 50, 90),
      value('-1', 120),
      80,
      seen(35, 80, 120),
    ],
    [
      'counts as far as they were fresh',
      seen(5, 50, 90),
      value('-1', 220),
      200,
      seen(45, 200, 220),
    ],
    ['stops when they are not any more', seen(5, 50, 90), null, 100, { lasted: 45, seen: null }],
    ['waits while they are not', { lasted: 45, seen: null }, null, 900, { lasted: 45, seen: null }],
    ['goes on after that', { lasted: 45, seen: null }, value('0', 990), 900, seen(45, 900, 990)],
    ['ends with a fresh value above zero', seen(50, 50, 90), value('0.1', 99), 60, ABOVE_ZERO],
    ['ends so while it waited', { lasted: 50, seen: null }, value('0.1', 99), 60, ABOVE_ZERO],
    [
      'takes nothing off when the clock was set back',
      seen(5, 50, 90),
      value('0', 70),
      40,
      seen(5, 40, 70),
    ],
    [
      'holds good when fresh until before now',
      seen(5, 50, 90),
      value('0', 60),
      70,
      seen(25, 70, 70),
    ],
  ])('%s', (_, before, fresh, now, after) => {
    expect(belowZeroAt(before, fresh, now)).toEqual(after);
  });

  it.each([
    [0, 'trades'],
    [59_999, 'trades'],
    [60_000, 'closes_only'],
    [899_999, 'closes_only'],
    [900_000, 'over'],
    [Infinity, 'over'],
  ])('after %d milliseconds it %s', (lasted, phase) => {
    expect(belowZeroPhase(lasted)).toBe(phase);
  });

  it('never counts more than the time that passes, and no time without fresh quotes, however often it is checked', () => {
    const look = fc.record({
      after: fc.integer({ min: 0, max: 120_000 }),
      sight: fc.constantFrom('below', 'stale', 'above'),
      fresh: fc.integer({ min: 0, max: 60_000 }),
    });
    fc.assert(
      fc.property(fc.array(look, { maxLength: 40 }), (looks) => {
        let now = 0;
        let state = ABOVE_ZERO;
        // As if checked every second: `fresh` is until when the last check's quotes are fresh.
        let fresh = 0;
        let lasted = 0;
        for (const { after, sight, fresh: length } of looks) {
          lasted += Math.max(0, Math.min(now + after, fresh) - now);
          now += after;
          if (sight === 'above') lasted = 0;
          fresh = sight === 'below' ? now + length : now;
          const shown = sight === 'above' ? value('1', now) : value('-1', now + length);
          state = belowZeroAt(state, sight === 'stale' ? null : shown, now);
          expect(state.lasted).toBe(lasted);
          expect(belowZeroPhase(state.lasted) === 'over').toBe(
            lasted >= BELOW_ZERO_LIMITS.endsAfter,
          );
        }
      }),
    );
  });
});

describe('the value of a strategy by quotes that are all fresh and inside open sessions', () => {
  const FRESH_FOR = 60_000;
  const book = aBook({ cash: '-2', positions: { AAA: '1', BBB: '-1' } });
  const stocks = [aStock('AAA'), aStock('BBB')];
  const market = aMarket({ stocks, quotes: { AAA: '3', BBB: '2' } });
  const closingAt = (closesAt: number) => ({
    ...market,
    session: () => ({ opensAt: 0, closesAt }),
  });
  const older = { ...market, freshQuote: (stockId: string) => oneOf(stockId) };
  const oneOf = (stockId: string) => {
    const quote = market.quote(id(stockId));
    return quote && { ...quote, at: START - (stockId === 'AAA' ? 9 : 4) };
  };

  it.each([
    ['holds until the oldest quote is not fresh any more', older, START - 9 + FRESH_FOR],
    ['or until the session ends, when that is sooner', closingAt(START + 5), START + 5],
  ])('%s', (_, at, until) => {
    expect(freshValue(book, at, FRESH_FOR)).toEqual({ value: decimal('-1'), until });
  });

  it('is always known without holdings', () => {
    expect(freshValue(aBook({ cash: '-1' }), market, FRESH_FOR)).toEqual({
      value: decimal('-1'),
      until: Infinity,
    });
  });

  const halted = [aStock('AAA'), aStock('BBB', { status: 'halted' })];
  it.each([
    ['a quote is old', { ...market, freshQuote: () => undefined }],
    ['a session is closed', { ...market, session: () => undefined }],
    ['a stock is halted', aMarket({ stocks: halted, quotes: { AAA: '3', BBB: '2' } })],
    ['a stock is not known', aMarket({ stocks: [aStock('AAA')], quotes: { AAA: '3', BBB: '2' } })],
  ])('is not known while %s', (_, at) => {
    expect(freshValue(book, at, FRESH_FOR)).toBeNull();
  });
});
