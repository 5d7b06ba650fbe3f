import { describe, expect, it } from '@jest/globals';
import { DEFINITIONS } from '../src/figures/definitions.js';

describe('a number of days', () => {
  const form = DEFINITIONS.find(({ name }) => name === 'underwater_days')?.form;
  it.each([
    ['0', '0 days'],
    ['1', '1 day'],
    ['72', '72 days'],
    ['1000', '1,000 days'],
    [null, '–'],
  ])('of %s is %s', (text, words) => {
    expect(form?.(text)).toBe(words);
  });
});
