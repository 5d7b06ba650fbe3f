import { describe, expect, it } from '@jest/globals';
import {
  changeBetween,
  compounded,
  fractionOf,
  partOf,
  percentOf,
  product,
  sum,
} from '../src/figures/decimal-text.js';

describe('percent as typed', () => {
  it.each([
    ['12.5', '0.125'],
    ['100', '1'],
    ['0', '0'],
    ['-40', '-0.4'],
    ['-0', '0'],
    ['0.1', '0.001'],
    ['7', '0.07'],
    ['.5', '0.005'],
    ['200', '2'],
    ['33.333333333333333333', '0.33333333333333333333'],
    [' 25 ', '0.25'],
  ])('%s is the fraction %s', (percent, fraction) => {
    expect(fractionOf(percent)).toBe(fraction);
  });

  it.each(['', '-', '.', '1,5', '1e3', 'abc', '1.2.3'])('%j is no fraction', (text) => {
    expect(fractionOf(text)).toBeUndefined();
  });

  it.each(['12.5', '0', '-40', '0.001', '199.99', '100'])('%s comes back the same', (text) => {
    expect(percentOf(fractionOf(text) ?? '')).toBe(text);
  });
});

describe('a sum of decimal texts', () => {
  it.each([
    ['0.1', '0.2', '0.3'],
    ['1', '-0.014', '0.986'],
    ['-0.5', '0.5', '0'],
    ['123456789012345678.000000000000000001', '1', '123456789012345679.000000000000000001'],
  ])('%s + %s is %s', (one, other, exact) => {
    expect(sum(one, other)).toBe(exact);
  });

  it('is not there for what is no decimal', () => {
    expect(sum('1e3', '2')).toBeUndefined();
  });
});

describe('a product of decimal texts', () => {
  it.each([
    ['10000', '0.1', '1000'],
    ['10012.57', '0.05', '500.6285'],
    ['0.1', '0.2', '0.02'],
    ['-3', '1.5', '-4.5'],
    ['-0', '5', '0'],
    ['123456789012345678.123456789', '2', '246913578024691356.246913578'],
  ])('%s × %s is %s', (one, other, exact) => {
    expect(product(one, other)).toBe(exact);
  });

  it('is not there for what is no decimal', () => {
    expect(product('1e3', '2')).toBeUndefined();
    expect(product('', '2')).toBeUndefined();
  });
});

describe('the change from one decimal to another', () => {
  it.each([
    ['4000', '4100.5', '0.025125'],
    ['3', '2', '-0.333333333333333333'],
    ['4000.5', '4000.5', '0'],
    ['0.1', '0.3', '2'],
  ])('from %s to %s is %s', (before, now, change) => {
    expect(changeBetween(before, now)).toBe(change);
  });

  it('is not there from zero, and for what is no decimal', () => {
    expect(changeBetween('0', '1')).toBeUndefined();
    expect(changeBetween('x', '1')).toBeUndefined();
  });
});

describe('the part of a decimal that another one is', () => {
  it.each([
    ['2.5', '0.5', '0.2'],
    ['298.3346', '-0.4947', '-0.001658205250078267'],
    ['3', '2', '0.666666666666666666'],
    ['1', '0', '0'],
  ])('of %s %s is %s', (whole, part, fraction) => {
    expect(partOf(whole, part)).toBe(fraction);
  });

  it('is not there of zero, and for what is no decimal', () => {
    expect(partOf('0', '1')).toBeUndefined();
    expect(partOf('1', 'x')).toBeUndefined();
  });
});

describe('returns in a row', () => {
  it.each([
    [['0.1', '-0.1'], '-0.01'],
    [['0.0231', '0.1001'], '0.12551231'],
    [['-1'], '-1'],
    [['0.5', '0'], '0.5'],
    [[], '0'],
  ])('%j make %s, exactly', (returns, together) => {
    expect(compounded(returns)).toBe(together);
  });

  it('make none if one is no decimal', () => expect(compounded(['0.1', 'x'])).toBeUndefined());
});
