import {
  type Rounding,
  type Decimal,
  decimal,
  round18,
  divide,
  isMultipleOf,
  ZERO,
} from '@slipstream/domain';
import { z } from 'zod';

const DECIMAL_TEXT = /^-?(0|[1-9]\d{0,17})(\.\d{1,18})?$/;
const MALFORMED =
  'must be a decimal: text like "-12.5" (at most 18 digits before and after the point) or a number';

/**
 * The decimal that a caller wrote; undefined if it is no decimal of contract 1. A JSON number counts by its shortest decimal
 * form, which has at most 17 significant digits; a computed number may have more than 18 places.
 */
function readDecimal(value: string | number, rounding: Rounding): Decimal | undefined {
  if (typeof value === 'string') return DECIMAL_TEXT.test(value) ? decimal(value) : undefined;
  if (!Number.isFinite(value)) return undefined;
  const read = round18(decimal(String(value)), rounding);
  return DECIMAL_TEXT.test(read.toFixed()) ? read : undefined;
}

/** With a digit before the point or after it. */
const NUMERIC_TEXT = /^[+-]?(?=\.?\d)\d{0,40}(\.\d{0,40})?(e[+-]?\d{1,2})?$/i;

/** The number in any value, as a program would read it; undefined if there is none. */
export function anyDecimal(value: unknown): Decimal | undefined {
  const text = typeof value === 'number' ? String(value) : value;
  if (typeof text !== 'string' || !NUMERIC_TEXT.test(text.trim())) return undefined;
  return decimal(
    text
      .trim()
      .replace(/^\+/, '')
      .replace(/\.(?=e|$)/i, ''),
  );
}

/** How surplus places are cut, and how the decimal is changed before it is checked. */
interface Reading {
  readonly rounding?: Rounding;
  readonly read?: (value: Decimal) => Decimal;
}

/** A figure that misses a limit or a step by at most this is taken for it: programs compute with binary floats (contract 7b.5). */
const TOLERANCE = decimal('0.000000000001');
const isNear = (one: Decimal, other: Decimal): boolean => one.minus(other).abs().lte(TOLERANCE);

export const toLimits =
  (...limits: readonly Decimal[]) =>
  (value: Decimal): Decimal =>
    limits.find((limit) => isNear(value, limit)) ?? value;

const toStep =
  (step: Decimal) =>
  (value: Decimal): Decimal => {
    const nearest = divide(value, step).round(0).times(step);
    return isNear(value, nearest) ? nearest : value;
  };

/** A decimal in a request that also passes `check`; `rule` completes the sentence "slippage …". */
export const decimalThat = (
  rule: string,
  check: (value: Decimal) => boolean,
  meta: Readonly<Record<string, unknown>> = {},
  { rounding = 'half_even', read: taken = (value) => value }: Reading = {},
) =>
  z
    .union([z.string(), z.number()], { error: MALFORMED })
    .transform((value, context): Decimal => {
      const written = readDecimal(value, rounding);
      const read = written && taken(written);
      if (read && check(read)) return read;
      context.addIssue({ code: 'custom', message: read ? rule : MALFORMED });
      return z.NEVER;
    })
    .meta({
      description: `A decimal, as text or a JSON number${rule && `; ${rule}`}.`,
      // Of a text; it says nothing of a number.
      pattern: DECIMAL_TEXT.source,
      ...meta,
    });

/** A fraction from `from` to `to` in whole steps. The range is checked before the step. */
export function stepped(
  from: string,
  to: string,
  step: string,
  meta: Readonly<Record<string, unknown>>,
) {
  const [least, most, unit] = [decimal(from), decimal(to), decimal(step)];
  const range = decimalThat(
    `must be between ${from} and ${to}`,
    (value) => value.gte(least) && value.lte(most),
    {},
    { read: toStep(unit) },
  );
  return range
    .refine((value) => isMultipleOf(value, unit), { error: `must be a multiple of ${step}` })
    .meta({ description: `A decimal from ${from} to ${to}, multiple of ${step}.`, ...meta });
}

/** Any decimal (contract 1, "Validation"). */
export const decimalInput = decimalThat('', () => true);
/** A decimal above zero. */
export const positive = decimalThat('must be greater than 0', (value) => value.gt(ZERO));
/** `amount` or `total`: more than 18 places are rounded down, so that it is never more than intended. */
export const positiveSize = decimalThat(
  'must be greater than 0',
  (value) => value.gt(ZERO),
  {},
  { rounding: 'down' },
);
