import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { decimal, inUnits } from './decimal.js';
import { isFactor, putLimbs, putLimbsOfText, wholeOf } from './limbs.js';

/** The limbs of a text, with what stood there where none are written. */
const limbsOf = (
  text: string,
  places: number,
): readonly [isWritten: boolean, limbs: Int32Array] => {
  const limbs = new Int32Array([1, 2, 3, 4, 5, 6]);
  return [putLimbsOfText(text, places, limbs, 1), limbs];
};

const plain = fc
  .tuple(
    fc.constantFrom('', '-'),
    fc.stringMatching(/^[0-9]{1,24}$/),
    fc.option(fc.stringMatching(/^[0-9]{1,20}$/), { nil: undefined }),
  )
  .map(([sign, whole, places]) => sign + whole + (places === undefined ? '' : `.${places}`));

describe('the limbs of a text', () => {
  it('are those of its number in units of the last place', () => {
    fc.assert(
      fc.property(plain, fc.constantFrom(0, 1, 8, 18), (text, places) => {
        const units = inUnits(decimal(text), places);
        const [isWritten, limbs] = limbsOf(text, places);
        const isPlain = (text.split('.')[1] ?? '').length <= places;
        expect(isWritten).toBe(isPlain && isFactor(units as bigint));
        const expected = new Int32Array([1, 2, 3, 4, 5, 6]);
        if (isWritten) putLimbs(units as bigint, expected, 1);
        expect(limbs).toEqual(expected);
        if (isWritten) expect(wholeOf(limbs, 1)).toBe(units);
      }),
      { numRuns: 2_000 },
    );
  });

  it.each([
    ['9999999999.999999999999999999', 18, true],
    ['-9999999999.999999999999999999', 18, true],
    ['10000000000', 18, false],
    ['-10000000000', 18, false],
    ['0000000000009999999999.9', 18, true],
    ['0', 18, true],
    ['-0', 18, true],
    ['0.0000000000000000001', 18, false],
    ['', 18, false],
    ['-', 18, false],
    ['.', 18, false],
    ['1.', 0, false],
    ['1.2.3', 18, false],
    ['1e3', 18, false],
    ['--1', 18, false],
    ['+1', 18, false],
    [' 1', 18, false],
  ])('of %s with %d places: %s', (text, places, expected) => {
    const [isWritten, limbs] = limbsOf(text, places);
    expect(isWritten).toBe(expected);
    if (!isWritten) expect([...limbs]).toEqual([1, 2, 3, 4, 5, 6]);
  });
});
