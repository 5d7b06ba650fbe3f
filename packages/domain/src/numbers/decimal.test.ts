import { describe, expect, it } from '@jest/globals';
import { Big } from 'big.js';
import fc from 'fast-check';
import {
  type Decimal,
  type Rounding,
  ONE,
  ZERO,
  Decimal as AnyDecimal,
  decimal,
  decimalText,
  divide,
  isMultipleOf,
  round18,
  sum,
} from './decimal.js';

const aDecimal = (most: bigint) =>
  fc
    .tuple(fc.bigInt({ min: -most, max: most }), fc.integer({ min: 0, max: 18 }))
    .map(([digits, places]) => {
      const text = String(digits < 0n ? -digits : digits).padStart(places + 1, '0');
      const at = text.length - places;
      const plain = places === 0 ? text : `${text.slice(0, at)}.${text.slice(at)}`;
      return decimal(digits < 0n ? `-${plain}` : plain);
    });
const nonZero = aDecimal(10n ** 30n).filter((value) => !value.eq(decimal('0')));

describe('a decimal comes from text only', () => {
  it.each([0.1, 2, NaN, null, undefined, ['1']])('refuses %p', (value) => {
    expect(() => new AnyDecimal(value as unknown as string)).toThrow();
    // A program in plain JavaScript has no types to tell it.
    expect(() => decimal(value as unknown as string)).toThrow(
      `a decimal comes from text, not from ${String(value)}`,
    );
  });
  it.each(['', ' ', 'NaN', 'Infinity', '1,5', '0x10', '--1', '1 '])(
    'refuses the text %p, and says so',
    (text) => {
      expect(() => decimal(text)).toThrow(
        `a decimal comes from text such as "-12.5", not from ${JSON.stringify(text)}`,
      );
    },
  );
  it('shows no more of a long text than its beginning', () => {
    const long = () => decimal('x'.repeat(1_000));
    expect(long).toThrow(new RegExp(`not from "x{40}"$`));
  });
});

describe('a decimal of a text', () => {
  const parts = ['-', '+', '.', '0', '00', '1', '7', '12', '340', 'e', 'E2', 'e-3', ' ', '９', 'x'];
  const aText = fc.oneof(
    fc.array(fc.constantFrom(...parts), { maxLength: 6 }).map((some) => some.join('')),
    fc
      .tuple(fc.constantFrom('', '-'), fc.nat(10 ** 9), fc.bigInt({ min: 0n, max: 10n ** 70n }))
      .map(([minus, whole, fraction]) => `${minus}${whole}.${String(fraction).padStart(20, '0')}`),
  );
  const fieldsOf = (make: () => Decimal): unknown => {
    try {
      const { s, e, c } = make();
      return { s, e, c };
    } catch {
      return 'refused';
    }
  };
  it('has the sign, the exponent and the digits that big.js reads, or is refused as it is there', () => {
    fc.assert(
      fc.property(aText, (text) => {
        expect(fieldsOf(() => decimal(text))).toEqual(fieldsOf(() => new AnyDecimal(text)));
      }),
      { numRuns: 2000 },
    );
  });
});

describe('a decimal leaves as plain text: no exponent, no trailing zeros, no -0, at most 18 places', () => {
  it.each([
    ['0', '0'],
    ['-0', '0'],
    ['0.000', '0'],
    ['-0.0000000000000000001', '0'],
    ['1.50', '1.5'],
    ['-12.340', '-12.34'],
    ['0.000000000000000001', '0.000000000000000001'],
    ['0.0000000000000000005', '0'],
    ['0.0000000000000000015', '0.000000000000000002'],
    ['0.0000000000000000025', '0.000000000000000002'],
    ['-0.0000000000000000015', '-0.000000000000000002'],
    ['0.9999999999999999999', '1'],
    ['123456789012345678901234567890', '123456789012345678901234567890'],
    ['999999999999999999.999999999999999999', '999999999999999999.999999999999999999'],
  ])('writes %s as %s', (value, text) => {
    expect(decimalText(decimal(value))).toBe(text);
  });

  it('never writes anything else, and reads it back to the last place', () => {
    fc.assert(
      fc.property(aDecimal(10n ** 40n), (value) => {
        const text = decimalText(value);
        expect(text).toMatch(/^(0|-?(0|[1-9]\d*)(\.\d{0,17}[1-9])?)$/);
        expect(text).not.toBe('-0');
        expect(decimal(text).eq(round18(value))).toBe(true);
      }),
    );
  });
});

describe('a product has every digit', () => {
  it('however many digits its factors have, as big.js multiplies them', () => {
    const byDigits = Big();
    fc.assert(
      fc.property(aDecimal(10n ** 60n), aDecimal(10n ** 60n), (one, other) => {
        const text = new byDigits(one.toFixed()).times(new byDigits(other.toFixed())).toFixed();
        expect(one.times(other).toFixed()).toBe(text);
      }),
      { numRuns: 1000 },
    );
  });

  it('takes decimals only, also of many digits', () => {
    const long = decimal('0.123456789012345678901234567890123456');
    // @ts-expect-error The types tell of it as well.
    expect(() => long.times(2)).toThrow();
    // @ts-expect-error Also after a decimal that was computed.
    expect(() => long.plus(ONE).div(4)).toThrow();
  });
});

describe('a comparison', () => {
  it('is that of big.js, of numbers far apart, equal in size, or different in their last digit', () => {
    const anyDecimal = aDecimal(10n ** 40n);
    const near = fc
      .tuple(anyDecimal, fc.constantFrom('0', '0.000000000000000001', '-1', '1000'))
      .map(([one, more]) => [one, one.plus(decimal(more))] as const);
    const opposite = anyDecimal.map((one) => [one, one.neg()] as const);
    fc.assert(
      fc.property(fc.oneof(near, opposite, fc.tuple(anyDecimal, anyDecimal)), ([one, other]) => {
        const byDigits = new Big(one.toFixed());
        const expected = byDigits.cmp(new Big(other.toFixed()));
        expect(one.cmp(other)).toBe(expected);
        expect(other.cmp(one)).toBe(0 - expected);
        expect([
          one.eq(other),
          one.gt(other),
          one.gte(other),
          one.lt(other),
          one.lte(other),
        ]).toEqual([expected === 0, expected > 0, expected >= 0, expected < 0, expected <= 0]);
      }),
      { examples: [[[ZERO, decimal('-0')]]] },
    );
  });

  it('takes decimals and text only, as big.js does', () => {
    expect(ONE.gt('0.5')).toBe(true);
    // @ts-expect-error The types tell of it as well.
    expect(() => ONE.gt(0.5)).toThrow();
  });
});

describe('only division rounds', () => {
  it.each<[string, string, Rounding, string]>([
    ['1', '3', 'down', '0.333333333333333333'],
    ['1', '3', 'up', '0.333333333333333334'],
    ['1', '3', 'half_even', '0.333333333333333333'],
    ['2', '3', 'half_even', '0.666666666666666667'],
    ['-1', '3', 'down', '-0.333333333333333333'],
    ['-1', '3', 'up', '-0.333333333333333334'],
    ['0.000000000000000001', '2', 'half_even', '0'],
    ['0.000000000000000003', '2', 'half_even', '0.000000000000000002'],
    ['0.000000000000000001', '2', 'down', '0'],
    ['0.000000000000000001', '2', 'up', '0.000000000000000001'],
    ['6', '3', 'up', '2'],
  ])('%s / %s rounded %s is %s', (dividend, divisor, rounding, quotient) => {
    expect(decimalText(divide(decimal(dividend), decimal(divisor), rounding))).toBe(quotient);
  });

  it('refuses a division by zero', () => {
    expect(() => divide(decimal('1'), decimal('0'))).toThrow();
  });

  it('keeps down <= exact <= up in size, at most one last place apart, the nearest of them half-even', () => {
    const ulp = decimal('0.000000000000000001');
    fc.assert(
      fc.property(nonZero, nonZero, (dividend, divisor) => {
        const [down, near, up] = (['down', 'half_even', 'up'] as const).map((rounding) =>
          divide(dividend, divisor, rounding).abs(),
        ) as [Decimal, Decimal, Decimal];
        const exact = dividend.abs();
        const by = divisor.abs();
        expect(down.times(by).lte(exact)).toBe(true);
        expect(up.times(by).gte(exact)).toBe(true);
        expect(up.minus(down).lte(ulp)).toBe(true);
        expect(near.eq(down) || near.eq(up)).toBe(true);
        const error = (quotient: Decimal) => quotient.times(by).minus(exact).abs();
        expect(error(near).lte(error(down)) && error(near).lte(error(up))).toBe(true);
      }),
    );
  });

  it('adds exactly', () => {
    expect(decimalText(sum(['0.1', '0.2', '0.000000000000000001'].map(decimal)))).toBe(
      '0.300000000000000001',
    );
  });
});

describe('a multiple of a step', () => {
  it.each([
    ['0.05', '0.001', true],
    ['0', '0.001', true],
    ['-0.002', '0.001', true],
    ['0.0005', '0.001', false],
    ['1.005', '0.01', false],
  ])('%s of %s: %p', (value, step, expected) => {
    expect(isMultipleOf(decimal(value), decimal(step))).toBe(expected);
  });
});
