import { describe, expect, it } from '@jest/globals';
import * as report from '../../report/src/format.js';
import {
  change,
  count,
  dollars,
  percent,
  price,
  quantity,
  ratio,
  roughPrice,
} from '../src/figures/format.js';

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

describe('a market price', () => {
  it.each([
    ['200', '20000'],
    ['200.0400120024003', '2000400120024'],
    ['0.0000012345', '00000012345'],
    ['0.0000000012345678', '000000000123457'],
    ['0.000000000012345678', '00000000000123457'],
    ['1000000000000000.5', '100000000000000050'],
  ])('of %s has ten decimals, or six digits that count where those show less', (text, digits) => {
    expect(digitsOf(price(text))).toBe(digits);
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

/** What was written, as the shortest decimal with its sign, in any locale of the tests. */
const plain = (text: string): string => {
  const digits = text
    .replace(/[^\d.]/g, '')
    .replace(/\.?0+$|^$/, (tail) => (text.includes('.') || tail === '' ? '' : tail));
  return `${/[-\u2212]/.test(text) ? '-' : text.includes('+') ? '+' : ''}${digits || '0'}`;
};
const VALUES = [
  ...['0', '0.00001', '0.00004999', '0.00005', '0.004', '0.005', '0.0049999999999999999'],
  ...['0.125', '1', '1.005', '2.675', '99.995', '1234567.891', '999999999999999.995'],
].flatMap((text) => [text, `-${text}`]);

describe('a figure of a page and of a report', () => {
  it.each([
    ['a signed fraction', change, report.signedPercent],
    ['a fraction', percent, report.percent],
    ['a ratio', ratio, (text: string) => report.rounded(text, 2)],
    ['a count', count, (text: string) => report.rounded(text, 0)],
    ['an amount of dollars', dollars, report.usd],
  ])('is rounded and signed alike: %s', (_, onPage, inReport) => {
    for (const value of VALUES)
      expect([value, plain(onPage(value))]).toEqual([value, plain(inReport(value))]);
  });
});
