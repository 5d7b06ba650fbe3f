import { describe, expect, it } from '@jest/globals';
import { quantity, roughPrice } from '../src/figures/format.js';

/** The digits alone: the locale is the reader's. */
const digitsOf = (text: string): string => text.replace(/\D/g, '');

describe('a quantity', () => {
  it.each([
    ['0.000000328666666666', '0000000328667'],
    ['0.0000003', '00000003'],
    ['0.0033', '00033'],
    ['24.4714254', '24471425'],
    ['1234567.123456789', '1234567123457'],
    ['24', '24'],
    ['0', '0'],
  ])('of %s has six decimals, or six digits that count where those show less', (text, digits) => {
    expect(digitsOf(quantity(text))).toBe(digits);
  });
});

describe('an average price', () => {
  it.each([
    ['0.0000123456789', '00000123457'],
    ['122.22108', '1222211'],
    ['60060', '6006000'],
  ])('of %s has two to four decimals, or six digits that count', (text, digits) => {
    expect(digitsOf(roughPrice(text))).toBe(digits);
  });
});
