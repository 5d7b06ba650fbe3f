import { describe, expect, it } from '@jest/globals';
import { aBook, aMarket } from '../tests/builders.js';
import { decimalText } from './decimal.js';
import { id } from './ids.js';
import { grossExposure, strategyValue } from './valuation.js';

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
