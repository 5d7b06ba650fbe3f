import { describe, expect, it } from '@jest/globals';
import { decimalTyped } from '../src/figures/typed-decimal.js';

/** What readers of pages with `1,000.50` and of those with `1.000,50` mean; null is refused. */
const MEANINGS: readonly (readonly [
  typed: string,
  commas: string | null,
  points: string | null,
])[] = [
  ['1000', '1000', '1000'],
  ['0.5', '0.5', '0.5'],
  ['0,5', '0.5', '0.5'],
  ['-0,75', '-0.75', '-0.75'],
  ['1000,25', '1000.25', '1000.25'],
  ['1000,250', '1000.250', '1000.250'],
  ['0,125', '0.125', '0.125'],
  ['0.125', '0.125', '0.125'],
  ['1,1250', '1.1250', '1.1250'],
  [' 25 ', '25', '25'],
  [' 0,75 ', '0.75', '0.75'],
  ['1.50', '1.50', '1.50'],
  ['1,25', '1.25', '1.25'],
  ['1,000.50', '1000.50', '1000.50'],
  ['1.000,50', '1000.50', '1000.50'],
  ['-12,345,678.9', '-12345678.9', '-12345678.9'],
  ['1,000,000', '1000000', '1000000'],
  ['1.000.000', '1000000', '1000000'],
  ['1,000', null, null],
  ['1,125', null, null],
  ['-10,000', null, null],
  ['100,000', null, null],
  // The service and its documents write so; a page in German shows a thousand so.
  ['1.000', '1.000', null],
  ['10.125', '10.125', null],
  ['1,00.5', null, null],
  ['1.000.50', null, null],
  ['1,000,00', null, null],
  ['1 000', null, null],
  ['1e3', null, null],
  ['100 USD', null, null],
];

/** What the service takes. */
const isDecimal = (text: string): boolean => /^-?\d+(\.\d+)?$/.test(text);

describe.each([false, true])(
  'a decimal as typed, where points group thousands: %s',
  (hasPoints) => {
    it.each(MEANINGS)('%j', (typed, commas, points) => {
      const read = decimalTyped(typed, hasPoints);
      expect(isDecimal(read) ? read : null).toBe(hasPoints ? points : commas);
    });
  },
);
