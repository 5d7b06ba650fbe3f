import { describe, expect, it } from '@jest/globals';
import { decimal, decimalText } from './decimal.js';
import { inputMultiplier, percentChange } from './units.js';

const some = (text: string | null) => (text === null ? null : decimal(text));
const written = (value: ReturnType<typeof some>) => (value === null ? null : decimalText(value));

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
