import fc from 'fast-check';
import * as decimals from './decimals.js';
import * as figures from './figures.js';
import * as lists from './lists.js';
import * as texts from './text.js';
import { z } from 'zod';
import { describe, it, expect } from '@jest/globals';
import { type Decimal, decimalText, decimal } from '@slipstream/domain';
import { explain } from '../requests/explain.js';
import * as signInFields from '../accounts/sign-in-fields.js';

const fields = { ...decimals, ...figures, ...lists, ...texts, ...signInFields };

const said = (schema: z.ZodType, value: unknown): string => {
  const result = schema.safeParse(value);
  return result.success ? 'accepted' : explain(result.error.issues, value);
};

describe('decimals in requests (contract 1)', () => {
  it.each([
    '0',
    '-12.5',
    '1.50',
    '',
    'x',
    '10%',
    ' 1',
    '1.',
    '.5',
    '1e3',
    '+1',
    '01',
    '1'.repeat(19),
  ])('are read from the text %j if their documented pattern fits it', (value) => {
    const { pattern = '' } = z.toJSONSchema(fields.decimalInput, { io: 'input' });
    expect(new RegExp(pattern).test(value)).toBe(fields.decimalInput.safeParse(value).success);
  });

  it.each([
    ['0', '0'],
    ['-0', '0'],
    ['-12.5', '-12.5'],
    ['0.000000000000000001', '0.000000000000000001'],
    ['123456789012345678.123456789012345678', '123456789012345678.123456789012345678'],
    ['1.50', '1.5'],
    [0.1, '0.1'],
    [-0, '0'],
    [1e-7, '0.0000001'],
    [1e17, '100000000000000000'],
    [123456789012345, '123456789012345'],
    [0.123456789012345, '0.123456789012345'],
    // By their shortest decimal form, however they were computed.
    [1 / 3, '0.3333333333333333'],
    [0.1 + 0.2, '0.30000000000000004'],
    [1234567890123456, '1234567890123456'],
    [0.01 / 3, '0.003333333333333334'],
    [5e-324, '0'],
  ])('reads %j as %s', (value, text) => {
    expect(decimalText(fields.decimalInput.parse(value))).toBe(text);
  });

  it.each([
    ['1e3'],
    ['1.'],
    ['.5'],
    ['01'],
    ['+1'],
    [' 1'],
    ['1\n'],
    ['٣'],
    ['NaN'],
    ['Infinity'],
    ['0x10'],
    [''],
    ['1234567890123456789'],
    ['0.1234567890123456789'],
    ['9'.repeat(100_000)],
    [Infinity],
    [NaN],
    [1e18],
    [null],
    [true],
    [[1]],
    [{}],
  ])('refuses %j', (value) => {
    expect(said(fields.decimalInput, value)).toMatch(/^must be a decimal: /);
  });
});

describe('figures computed with binary floats', () => {
  const read = (schema: z.ZodType, value: unknown) => decimalText(schema.parse(value) as Decimal);
  it.each([
    ['amount and total are cut down', fields.positiveSize, 0.01 / 3, '0.003333333333333333'],
    ['others are rounded', fields.positive, 0.01 / 3, '0.003333333333333334'],
    ['a step', fields.leverage, 0.1 + 0.2, '0.3'],
    ['a step, as text', fields.leverage, '0.30000000000000004', '0.3'],
    ['a step from above', fields.slippage, 0.005 - 0.002, '0.003'],
    ['the most', fields.leverage, '2.000000000001', '2'],
    ['the most', fields.percent, 2.0000000000000004, '2'],
    ['the least', fields.percent, -2.0000000000000004, '-2'],
    ['the least', fields.botPercent, '-0.000000000001', '0'],
    ['between the limits all counts', fields.percent, 1 / 3, '0.3333333333333333'],
  ] as const)('%s', (_, schema, value, text) => {
    expect(read(schema, value)).toBe(text);
  });

  it.each([
    ['leverage', '2.0000000000011', 'must be between 0 and 2'],
    ['leverage', '0.3000000000011', 'must be a multiple of 0.01'],
    ['percent', '-2.0000000000011', 'must be between -2 and 2'],
    ['positiveSize', 1e-19, 'must be greater than 0'],
  ] as const)('further off is refused: %s %s', (name, value, message) => {
    expect(said(fields[name], value)).toBe(message);
  });

  it('any multiple within the limits, however it was computed, is the exact step', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 200 }),
        fc.integer({ min: 1, max: 49 }),
        (steps, parts) => {
          const computed = Array.from({ length: parts }, () => steps / 100 / parts).reduce(
            (a, b) => a + b,
            0,
          );
          expect(read(fields.leverage, computed)).toBe(
            decimalText(decimal(String(steps)).div(decimal('100'))),
          );
        },
      ),
    );
  });
});

describe('the sizes that alerts carry', () => {
  it.each([
    [5, '5'],
    ['-12.50', '-12.5'],
    [' +3 ', '3'],
    ['1.', '1'],
    ['.5', '0.5'],
    ['-.5', '-0.5'],
    ['+.25e1', '2.5'],
    ['1e-7', '0.0000001'],
    [1e21, '1000000000000000000000'],
  ])('%j is %s', (value, text) => {
    expect(fields.anyDecimal(value)?.toFixed()).toBe(text);
  });
  it.each([
    ['{{strategy.market_position_size}}'],
    [''],
    ['.'],
    ['-.'],
    ['.e1'],
    ['NaN'],
    ['1e999'],
    ['9'.repeat(100)],
    [null],
    [true],
    [[1]],
    [{}],
    [undefined],
    [Infinity],
  ])('%j says none', (value) => {
    expect(fields.anyDecimal(value)).toBeUndefined();
  });
});

describe('bounds', () => {
  // oxfmt-ignore
  it.each([
    ['slippage', '0'], ['slippage', '0.05'], ['slippage', 0.029], ['slippage', '0.0290'],
    ['leverage', 0], ['leverage', 2], ['leverage', 0.29], ['leverage', 1.13],
    ['botLeverage', '0.01'], ['botLeverage', 2],
    ['percent', -2], ['percent', '2'], ['percent', 0.123456],
    ['botPercent', 0], ['botPercent', 2],
    ['stockFraction', 0], ['stockFraction', '0.1'],
    ['positive', '0.000000000000000001'],
    ['pyramiding', 1], ['pyramiding', 100], ['pyramiding', '4'], ['pyramiding', '4.0'],
    ['limit', '1'], ['limit', '100'],
    ['monthlyPrice', 0], ['monthlyPrice', 1_000_000],
    ['cursor', 'x'.repeat(50)],
    ['newPassword', '12345678'], ['newPassword', 'x'.repeat(200)],
    ['email', ' Ada@Example.com '],
    ['categories', Array.from({ length: 10 }, (_, index) => `c${index}`)],
    ['moment', '0000-01-01T00:00:00Z'], ['moment', '9999-12-31T23:59:59.999Z'],
    ['moment', '2026-01-31T09:30:00Z'], ['moment', '2026-01-31T09:30:00.123+02:00'],
  ] as const)('%s takes %j', (name, value) => {
    expect(said(fields[name], value)).toBe('accepted');
  });

  // oxfmt-ignore
  it.each([
    ['slippage', '0.0505', 'must be between 0 and 0.05'],
    ['slippage', -0.001, 'must be between 0 and 0.05'],
    ['slippage', '0.0015', 'must be a multiple of 0.001'],
    ['slippage', '0.001000000001001', 'must be a multiple of 0.001'],
    ['leverage', 2.01, 'must be between 0 and 2'],
    ['leverage', '0.005', 'must be a multiple of 0.01'],
    ['botLeverage', 0, 'must be between 0.01 and 2'],
    ['percent', '2.000000000001001', 'must be between -2 and 2'],
    ['botPercent', -0.1, 'must be between 0 and 2'],
    ['stockFraction', '0.11', 'must be between 0 and 0.1'],
    ['positive', 0, 'must be greater than 0'],
    ['positive', '-1', 'must be greater than 0'],
    ['pyramiding', 0, 'must be an integer from 1 to 100'],
    ['pyramiding', 101, 'must be an integer from 1 to 100'],
    ['pyramiding', 1.5, 'must be an integer from 1 to 100'],
    ['pyramiding', '1e1', 'must be an integer from 1 to 100'],
    ['pyramiding', '1.5', 'must be an integer from 1 to 100'],
    ['limit', '0', 'must be an integer from 1 to 100'],
    ['limit', '101', 'must be an integer from 1 to 100'],
    ['limit', '1.0', 'must be an integer from 1 to 100'],
    ['monthlyPrice', 1.5, 'must be a whole number of USD'],
    ['monthlyPrice', -1, 'must not be negative'],
    ['cursor', 'x'.repeat(51), 'must have 1 to 50 characters'],
    ['newPassword', '1234567', 'must have 8 to 200 characters'],
    ['email', 'ada', 'must be an e-mail address'],
    ['categories', Array.from({ length: 11 }, String), 'must have at most 10 items'],
    ['moment', '2026-02-30T00:00:00Z', 'must be an ISO 8601 time with its offset, like 2026-01-31T09:30:00Z'],
    ['moment', '9999-12-31T23:59:59.999-00:01', 'must lie in the years 0000 to 9999 (UTC)'],
    ['moment', '0000-01-01T00:00:00+00:01', 'must lie in the years 0000 to 9999 (UTC)'],
    ['moment', '2026-01-31T09:30:00', 'must be an ISO 8601 time with its offset, like 2026-01-31T09:30:00Z'],
    ['flag', 'true', 'must be true or false'],
  ] as const)('%s %j %s', (name, value, sentence) => {
    expect(said(fields[name], value)).toBe(sentence);
  });

  it('accepts every legal step of slippage and leverage', () => {
    for (let step = 0; step <= 50; step++) {
      expect(said(fields.slippage, step / 1000)).toBe('accepted');
    }
    for (let step = 0; step <= 200; step++)
      expect(said(fields.leverage, step / 100)).toBe('accepted');
  });
});

describe('text', () => {
  it('counts code points and keeps NFC', () => {
    expect(fields.text(3).parse('😀😀😀')).toBe('😀😀😀');
    expect(fields.text(1).parse('e\u0301')).toBe('\u00e9');
    expect(said(fields.text(3), '😀😀😀😀')).toBe('must have at most 3 characters');
  });

  it.each(['a\0b', '\ud800', 'x\udc00'])('refuses %j', (value) => {
    expect(said(fields.idOf(), value)).toBe('must be well-formed text without NUL');
  });

  it.each(['a\u0007b', 'a\u001b[2Jb', '\u0085', 'nomis\u202egpj.exe', '\u2067x\u2069'])(
    'that would mislead a reader is refused: %j',
    (value) => {
      expect(said(fields.text(50), value)).toBe(
        'must not have control characters or marks that turn the direction of text',
      );
    },
  );

  it.each(['two\nlines\r\n', 'a\ttab', 'שלום\u200f!', '👨‍👩‍👧'])('may be %j', (value) => {
    expect(fields.text(50).parse(value)).toBe(value);
  });

  it.each([
    ['', 'must have 1 to 50 characters'],
    ['x'.repeat(51), 'must have 1 to 50 characters'],
    [7, 'must be a string'],
    [['x'], 'must be a string'],
  ])('an id %j %s', (value, sentence) => {
    expect(said(fields.idOf(), value)).toBe(sentence);
  });
});
