import { describe, expect, it } from '@jest/globals';
import { decimal, decimalText } from './decimal.js';
import { inputMultiplier, percentChange, toDisplay, toNormalized } from './units.js';

const some = (text: string | null) => (text === null ? null : decimal(text));
const written = (value: ReturnType<typeof some>) => (value === null ? null : decimalText(value));

describe('display units (spec 1)', () => {
  it.each([
    ['0.0125', '4000', '50'],
    ['3', '4000', '12000'],
    ['-0.0125', '4000', '-50'],
    ['0.0125', null, null],
    ['0.0125', '0', null],
    ['0.0125', '-4000', null],
  ])('%s normalized with multiplier %s is %s', (normalized, multiplier, display) => {
    expect(written(toDisplay(decimal(normalized), some(multiplier)))).toBe(display);
  });

  it.each([
    ['50', '4000', '0.0125'],
    ['1', '3', '0.333333333333333333'],
    ['50', null, null],
    ['50', '0', null],
  ])('%s visible with multiplier %s is %s normalized', (visible, multiplier, normalized) => {
    expect(written(toNormalized(decimal(visible), some(multiplier)))).toBe(normalized);
  });
});

describe('the input multiplier (contract 2, "Calculation")', () => {
  it.each([
    ['10000', '1.25', '8000'],
    ['10000', null, null],
    ['10000', '0', null],
    ['10000', '-1', null],
  ])('%s at value %s is %s', (inputValue, value, multiplier) => {
    expect(written(inputMultiplier(decimal(inputValue), some(value)))).toBe(multiplier);
  });
});

describe('a percent change', () => {
  it.each([
    ['1', '1.2', '0.2'],
    ['2', '1', '-0.5'],
    ['0', '1', null],
    [null, '1', null],
    ['1', null, null],
  ])('from %s to %s is %s', (past, now, change) => {
    expect(written(percentChange(some(past), some(now)))).toBe(change);
  });
});
