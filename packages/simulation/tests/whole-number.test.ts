import { describe, expect, it } from '@jest/globals';
import { wholeNumber } from '../src/run/whole-number.js';

describe('a number in an option of the programs', () => {
  // `npm run verify` takes seeds of six digits, and makes a hundred of each for the stories.
  it.each(['0', '1', '26113000', '99999999', '999999999'])('is %s', (text) => {
    expect(wholeNumber(text, 'seed')).toBe(Number(text));
  });

  it.each(['', '-1', '1.5', '1e3', 'one', '1000000000'])('is not "%s"', (text) => {
    expect(() => wholeNumber(text, 'seed')).toThrow('--seed must be a whole number');
  });
});
