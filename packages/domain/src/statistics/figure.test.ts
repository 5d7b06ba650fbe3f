import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { decimal } from '../numbers/decimal.js';
import { figureOf, figureText } from './figure.js';

describe('a figure', () => {
  it.each([
    [0, '0'],
    [-0, '0'],
    [1 / 3, '0.333333333333'],
    [2 / 3, '0.666666666667'],
    [100, '100'],
    [-1.5, '-1.5'],
    [123456789012, '123456789012'],
    [1234567890123.4, '1234567890120'],
    [1e-7, '0.0000001'],
    [1.2345678901234e-9, '0.00000000123456789012'],
    [2e25, '20000000000000000000000000'],
  ])('of %d is written %s', (value, text) => {
    expect(figureText(value)).toBe(text);
  });

  it('has 12 digits in plain notation, whatever the number', () => {
    fc.assert(
      fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (value) => {
        const text = figureText(value);
        expect(text).toMatch(/^-?(0|[1-9]\d*)(\.\d*[1-9])?$/);
        expect(text).toBe(decimal(value.toPrecision(12)).toFixed());
      }),
    );
  });

  it('has no value where a result is not finite', () => {
    const span = { from: '2026-01-01', to: '2026-01-02' };
    for (const result of [NaN, Infinity, -Infinity])
      expect(figureOf(span, 2, result)).toEqual({
        value: null,
        n: 2,
        ...span,
        gap: 'out_of_range',
      });
  });
});
