import { Big } from 'big.js';

/**
 * Exact decimals. Made from text only: numbers throw at run time (strict mode), so no binary float can enter.
 * Addition, subtraction and multiplication are exact; only `divide` and `round18` round.
 */
export const Decimal = Big();
Decimal.strict = true;
Decimal.DP = 18;
Decimal.RM = 2; // half-even
/** An interface of its own, so that inferred types which hold one can be named in other packages. */
export interface Decimal extends Big {}

/** The decimal that `text` writes. Throws on what is no number; what a caller sends passes a stricter form first. */
export const decimal = (text: string): Decimal => new Decimal(text);

export const ZERO = decimal('0');
export const ONE = decimal('1');
export const TWO = decimal('2');

/** How the one place beyond the last is treated. Amounts bought round down, sold up, everything else half-even. */
export type Rounding = 'down' | 'half_even' | 'up';

/** Decimal places that are kept when a figure is booked or printed (contract 1). */
export const PLACES = 18;

const MODES = { down: 0, half_even: 2, up: 3 } as const;

/** `dividend / divisor` at 18 places. Throws when the divisor is zero. */
export function divide(
  dividend: Decimal,
  divisor: Decimal,
  rounding: Rounding = 'half_even',
): Decimal {
  // big.js takes the rounding of a division from the class only.
  Decimal.RM = MODES[rounding];
  try {
    return dividend.div(divisor);
  } finally {
    Decimal.RM = MODES.half_even;
  }
}

const placesOf = ({ c: digits, e: exponent }: Decimal): number => digits.length - 1 - exponent;

/** `value` at 18 places. */
export const round18 = (value: Decimal, rounding: Rounding = 'half_even'): Decimal =>
  placesOf(value) > PLACES ? value.round(PLACES, MODES[rounding]) : value;

/** Plain notation, at most 18 places (half-even), no trailing zeros, no exponent, no `-0` (contract 1). */
export function decimalText(value: Decimal): string {
  const rounded = round18(value);
  return rounded.eq(ZERO) ? '0' : rounded.toFixed();
}

export const sum = (values: Iterable<Decimal>): Decimal => {
  let total = ZERO;
  for (const value of values) total = total.plus(value);
  return total;
};

export const max = (first: Decimal, second: Decimal): Decimal =>
  first.gte(second) ? first : second;
export const min = (first: Decimal, second: Decimal): Decimal =>
  first.lte(second) ? first : second;

/** True when `value` is a whole number of `step`s. */
export const isMultipleOf = (value: Decimal, step: Decimal): boolean => value.mod(step).eq(ZERO);
