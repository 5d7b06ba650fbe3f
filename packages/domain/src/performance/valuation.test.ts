import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { aBook, aMarket } from '../../tests/builders.js';
import { decimalText } from '../numbers/decimal.js';
import { id } from '../ids.js';
import { grossExposure, hasValue, remembering, strategyValue } from './valuation.js';

const book = aBook({ cash: '0.5', positions: { AAA: '0.01', BBB: '-0.02' } });
const quotes = { AAA: ['99', '100'], BBB: ['49', '50'] } as const;

describe('strategy_value: cash at 1, longs at bid, shorts at ask (spec 1)', () => {
  it('sums them', () => {
    expect(decimalText(strategyValue(book, aMarket({ quotes }))!)).toBe('0.49');
  });
  it('is 1 for a new strategy, without any quote', () => {
    expect(decimalText(strategyValue(aBook(), aMarket({}))!)).toBe('1');
  });
  it('uses a stale quote', () => {
    expect(strategyValue(book, aMarket({ quotes, stale: ['AAA'] }))).toBeDefined();
  });
  it('is unavailable while a holding has no quote, never a guess', () => {
    expect(strategyValue(book, aMarket({ quotes: { AAA: '100' } }))).toBeUndefined();
  });
  it('can be negative: there is no liquidation', () => {
    const short = aBook({ cash: '2', positions: { AAA: '-1' } });
    expect(decimalText(strategyValue(short, aMarket({ quotes: { AAA: '3' } }))!)).toBe('-1');
  });
});

describe('gross exposure', () => {
  it('sums the sizes', () => {
    expect(decimalText(grossExposure(book, aMarket({ quotes }))!)).toBe('1.99');
  });
  it('can leave one stock out, with or without a quote', () => {
    const market = aMarket({ quotes: { BBB: ['49', '50'] } });
    expect(decimalText(grossExposure(book, market, id('AAA'))!)).toBe('1');
    expect(grossExposure(book, market)).toBeUndefined();
  });
});

describe('a market that remembers', () => {
  const names = ['AAA', 'BBB', 'CCC', 'DDD'];
  /** Successive books of one strategy: holdings are opened, closed, changed and cross zero. */
  const amounts = fc.array(
    fc.record({ stock: fc.constantFrom(...names), amount: fc.integer({ min: -3, max: 3 }) }),
    { minLength: 1, maxLength: 12 },
  );

  it('values every book as a market without memory does', () => {
    fc.assert(
      fc.property(amounts, fc.subarray(names), (steps, quoted) => {
        const prices = quoted.map((name, index) => [name, [`${99 + index}.1`, `${100 + index}`]]);
        const plain = aMarket({ quotes: Object.fromEntries(prices) as Record<string, string> });
        const market = remembering(plain);
        const positions: Record<string, string> = {};
        let before = aBook({ positions });
        for (const { stock, amount } of steps) {
          if (amount === 0) delete positions[stock];
          else positions[stock] = `${amount}`;
          const made = aBook({ positions });
          // Unchanged positions stay the same objects, as after a fill.
          const kept = [...made.positions].map(([name, position]) => {
            const known = before.positions.get(name);
            return [name, known?.amount.eq(position.amount) ? known : position] as const;
          });
          before = { ...made, positions: new Map(kept) };
          for (const [value, expected] of [
            [strategyValue(before, market), strategyValue(before, plain)],
            [grossExposure(before, market), grossExposure(before, plain)],
            [grossExposure(before, market, id(stock)), grossExposure(before, plain, id(stock))],
          ] as const)
            expect(value && decimalText(value)).toBe(expected && decimalText(expected));
          expect(hasValue(before, plain)).toBe(strategyValue(before, plain) !== undefined);
        }
      }),
    );
  });
});
