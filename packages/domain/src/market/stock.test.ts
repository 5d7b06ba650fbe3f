import { describe, expect, it } from '@jest/globals';
import { aQuote } from '../../tests/builders.js';
import { decimal } from '../numbers/decimal.js';
import { isUsable } from './stock.js';

describe('a quote is usable when bid, ask and last are positive and bid <= ask (contract 3)', () => {
  it.each([
    ['99', '100', '99.5', true],
    ['100', '100', '100', true],
    ['0.000000000000000001', '100', '250', true],
    ['100', '99.999999999999999999', '100', false],
    ['0', '100', '100', false],
    ['-1', '100', '100', false],
    ['-2', '-1', '100', false],
    ['99', '100', '0', false],
    ['99', '100', '-1', false],
  ])('bid %s, ask %s, last %s: %p', (bid, ask, last, expected) => {
    expect(isUsable({ ...aQuote('AAA', [bid, ask]), last: decimal(last) })).toBe(expected);
  });
});
