import '../one-copy.js';
import { Big, type Comparison, type RoundingMode } from 'big.js';

/**
 * Exact decimals. Made from text only: numbers throw at run time (strict mode), so no binary float can enter.
 * Addition, subtraction and multiplication are exact; only `divide` and `round18` round.
 */
export const Decimal = Big();
Decimal.strict = true;
Decimal.DP = 18;
Decimal.RM = 2; // half-even
/**
 * A separate interface, so that other packages can name inferred types that contain a decimal. Its methods take decimals and texts alone:
 * those of big.js have types that take numbers too, and throw when they get one.
 */
export interface Decimal extends Big {
  abs(): Decimal;
  neg(): Decimal;
  round(dp?: number, rm?: RoundingMode): Decimal;
  prec(sd: number, rm?: RoundingMode): Decimal;
  sqrt(): Decimal;
  pow(exp: number): Decimal;
  add(n: Decimal | string): Decimal;
  plus(n: Decimal | string): Decimal;
  sub(n: Decimal | string): Decimal;
  minus(n: Decimal | string): Decimal;
  mul(n: Decimal | string): Decimal;
  times(n: Decimal | string): Decimal;
  div(n: Decimal | string): Decimal;
  mod(n: Decimal | string): Decimal;
  cmp(n: Decimal | string): Comparison;
  eq(n: Decimal | string): boolean;
  gt(n: Decimal | string): boolean;
  gte(n: Decimal | string): boolean;
  lt(n: Decimal | string): boolean;
  lte(n: Decimal | string): boolean;
}

/** From so many products of two digits on, whole numbers are multiplied sooner than digits. */
const MANY_PRODUCTS = 256;

/**
 * Numbers of big.js, which multiplies digit by digit: for a weight in 36 places and an equity that takes three times as long. It also
 * copies the other number to compare with it, which takes most of the time of a comparison.
 */
const digitwise = Decimal.prototype as Big;
const numbers = Object.create(digitwise) as Big;
numbers.times = function times(this: Decimal, factor: Decimal): Decimal {
  const isLong = factor instanceof Decimal && this.c.length * factor.c.length >= MANY_PRODUCTS;
  if (!isLong) return digitwise.times.call(this, factor);
  const units = digitsOf(this) * digitsOf(factor);
  return fromUnits(this.s === factor.s ? units : -units, placesOf(this) + placesOf(factor));
};
numbers.cmp = function cmp(this: Decimal, other: Decimal) {
  if (!(other instanceof Decimal)) return digitwise.cmp.call(this, other);
  const [side, otherSide] = [sign(this), sign(other)];
  if (side !== otherSide) return side > otherSide ? 1 : -1;
  const difference = comparedSizes(this, other) * side;
  return difference === 0 ? 0 : difference > 0 ? 1 : -1;
};
Decimal.prototype = numbers;

/** Which of two numbers that are not zero is farther from it: above 0, the first. Neither list of digits begins or ends with a zero. */
function comparedSizes(first: Decimal, second: Decimal): number {
  if (first.e !== second.e) return first.e - second.e;
  const [digits, others] = [first.c, second.c];
  const both = Math.min(digits.length, others.length);
  for (let at = 0; at < both; at += 1) {
    const difference = (digits[at] as number) - (others[at] as number);
    if (difference !== 0) return difference;
  }
  return digits.length - others.length;
}

/**
 * The decimal of `text`. Callers' input is validated more strictly before.
 * @throws when `text` is no number.
 * @example
 * decimalText(decimal('0.1').plus(decimal('0.2'))) // => '0.3'
 */
export const decimal = (text: string): Decimal =>
  text === '0' ? ZERO : (plainDecimal(text) ?? readDecimal(text));

/** As big.js reads it, which also takes exponents. Its error names neither the text nor what was expected. */
function readDecimal(text: string): Decimal {
  try {
    return new Decimal(text);
  } catch (cause) {
    const shown = JSON.stringify(text.slice(0, 40));
    throw new TypeError(`a decimal comes from text such as "-12.5", not from ${shown}`, { cause });
  }
}

/** Zero. Decimals are immutable, so these are shared. */
export const ZERO: Decimal = new Decimal('0');

const ZERO_DIGIT = '0'.charCodeAt(0);
const MINUS = '-'.charCodeAt(0);
const POINT = '.'.charCodeAt(0);
const ZEROS: readonly number[] = Array.from({ length: 80 }, () => 0);

/**
 * The decimal of a text without an exponent and of some digit that is not 0; undefined for any other text. Its list of digits
 * has no room to grow, unlike that of big.js: most numbers are short, and millions are in memory.
 */
function plainDecimal(text: string): Decimal | undefined {
  if (typeof text !== 'string')
    throw new TypeError(`a decimal comes from text, not from ${String(text)}`);
  const { length } = text;
  const from = text.charCodeAt(0) === MINUS ? 1 : 0;
  let [first, last, point] = [-1, -1, -1];
  for (let at = from; at < length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === POINT && point < 0 && at > from && at < length - 1) point = at;
    else if (code < ZERO_DIGIT || code > ZERO_DIGIT + 9) return undefined;
    else if (code > ZERO_DIGIT) {
      if (first < 0) first = at;
      last = at;
    }
  }
  if (first < 0) return undefined;
  const isSplit = first < point && point < last;
  const digits = newDigits(last - first + (isSplit ? 0 : 1));
  for (let at = first, place = 0; at <= last; at += 1)
    if (at !== point) digits[place++] = text.charCodeAt(at) - ZERO_DIGIT;
  const whole = point < 0 ? length : point;
  return ofDigits(from === 1 ? -1 : 1, first < whole ? whole - first - 1 : whole - first, digits);
}

/** So many zeros, as digits for `ofDigits`: a list without room to grow, because millions are in memory. */
export const newDigits = (length: number): number[] => ZEROS.slice(0, length);

/** The decimal whose first digit counts `10 ** exponent`. Neither the first nor the last of the digits is zero. */
export function ofDigits(sign: -1 | 1, exponent: number, digits: number[]): Decimal {
  const made = new Decimal(ZERO);
  made.s = sign;
  made.e = exponent;
  made.c = digits;
  return made;
}

/** One, the value of a new strategy. */
export const ONE = decimal('1');
/** Two, the largest gross exposure of an order as a multiple of the value. */
export const TWO = decimal('2');

/** The rounding of the place beyond the last. Bought amounts round down, sold ones up, everything else half-even. */
export type Rounding = 'down' | 'half_even' | 'up';

/** Decimal places of booked and printed figures (contract 1). */
export const PLACES = 18;

/** The smallest figure above zero that these hold. */
export const SMALLEST = decimal('0.000000000000000001');

/** Decimal places of a strategy's value: it is the sum of amounts times prices. */
export const VALUE_PLACES = 2 * PLACES;

const MODES = { down: 0, half_even: 2, up: 3 } as const;

const powers = Array.from({ length: 64 }, (_, power) => 10n ** BigInt(power));
const powerOfTen = (power: number): bigint => powers[power] ?? 10n ** BigInt(power);

/** The value in units of the last of `places` decimal places; undefined if it has more places. */
export function inUnits(value: Decimal, places: number): bigint | undefined {
  const shift = places + value.e - value.c.length + 1;
  if (shift < 0) return sign(value) === 0 ? 0n : undefined;
  const units = digitsOf(value) * powerOfTen(shift);
  return value.s < 0 ? -units : units;
}

/** The value in units of the last of `places` decimal places, half-even if it has more places. */
export const unitsOf = (value: Decimal, places: number): bigint =>
  inUnits(value, places) ?? (inUnits(value.round(places, MODES.half_even), places) as bigint);

/** So many digits are a whole number that is exact as a binary float. */
const EXACT = 15;

/** All digits as one whole number. As many as fit at a time: to write a text and parse it takes three times as long. */
function digitsOf({ c: digits }: Decimal): bigint {
  let units = 0n;
  for (let from = 0; from < digits.length; from += EXACT) {
    const end = Math.min(from + EXACT, digits.length);
    let some = 0;
    for (let at = from; at < end; at += 1) some = some * 10 + (digits[at] as number);
    units = from === 0 ? BigInt(some) : units * powerOfTen(end - from) + BigInt(some);
  }
  return units;
}

/** The decimal of that many units of the last of `places` decimal places. */
export function fromUnits(units: bigint, places: number): Decimal {
  if (units === 0n) return ZERO;
  const digits = (units < 0n ? -units : units).toString();
  let length = digits.length;
  while (digits.charCodeAt(length - 1) === ZERO_DIGIT) length -= 1;
  // Digit by digit, because writing a text to be parsed takes three times as long; and a list that grows is made thrice.
  const c = newDigits(length);
  for (let at = 0; at < length; at += 1) c[at] = digits.charCodeAt(at) - ZERO_DIGIT;
  return ofDigits(units < 0n ? -1 : 1, digits.length - places - 1, c);
}

const placesOf = ({ c: digits, e: exponent }: Decimal): number => digits.length - 1 - exponent;

/**
 * `dividend / divisor` at 18 places by default. It divides whole numbers, because digit by digit takes three times as long.
 * @throws when the divisor is zero.
 * @example
 * decimalText(divide(decimal('2'), decimal('3'))) // => '0.666666666666666667'
 * decimalText(divide(decimal('2'), decimal('3'), 'down', 2)) // => '0.66'
 */
export function divide(
  dividend: Decimal,
  divisor: Decimal,
  rounding: Rounding = 'half_even',
  places: number = PLACES,
): Decimal {
  const shift = places + placesOf(divisor) - placesOf(dividend);
  const whole = digitsOf(dividend) * (shift > 0 ? powerOfTen(shift) : 1n);
  const by = digitsOf(divisor) * (shift < 0 ? powerOfTen(-shift) : 1n);
  if (by === 0n) throw new Error('division by zero');
  const units = roundedQuotient(whole, by, rounding);
  return fromUnits(dividend.s === divisor.s ? units : -units, places);
}

/**
 * `dividend / divisor` of whole numbers, in units of the 18th place, half-even: what `divide` answers of decimals.
 * @throws when the divisor is zero.
 */
export function fraction(dividend: bigint, divisor: bigint): bigint {
  const whole = (dividend < 0n ? -dividend : dividend) * powerOfTen(PLACES);
  const by = divisor < 0n ? -divisor : divisor;
  const units = roundedQuotient(whole, by, 'half_even');
  return dividend < 0n === divisor < 0n ? units : -units;
}

/** The quotient of numbers that are not negative. Each division that it does without saves a tenth of a microsecond. */
function roundedQuotient(whole: bigint, by: bigint, rounding: Rounding): bigint {
  const quotient = whole / by;
  const left = whole - quotient * by;
  if (rounding === 'down' || left === 0n) return quotient;
  if (rounding === 'up') return quotient + 1n;
  const double = 2n * left;
  if (double === by) return quotient + (quotient % 2n);
  return double > by ? quotient + 1n : quotient;
}

/** `value` at 18 places. */
export const round18 = (value: Decimal, rounding: Rounding = 'half_even'): Decimal =>
  placesOf(value) > PLACES ? value.round(PLACES, MODES[rounding]) : value;

/**
 * Plain notation, at most 18 places (half-even), no trailing zeros, no exponent, no `-0` (contract 1).
 * @example
 * decimalText(decimal('-0.0000000000000000001')) // => '0'
 */
export function decimalText(value: Decimal): string {
  const rounded = round18(value);
  return sign(rounded) === 0 ? '0' : rounded.toFixed();
}

/** -1, 0 or 1, without the copy that big.js makes to compare with zero. */
export const sign = ({ c: digits, s }: Decimal): number => (digits[0] === 0 ? 0 : s);

/** Zero for no values. */
export const sum = (values: Iterable<Decimal>): Decimal => {
  let total = ZERO;
  for (const value of values) total = total.plus(value);
  return total;
};

/** The larger of two; the first when they are equal. */
export const max = (first: Decimal, second: Decimal): Decimal =>
  first.gte(second) ? first : second;
/** The smaller of two; the first when they are equal. */
export const min = (first: Decimal, second: Decimal): Decimal =>
  first.lte(second) ? first : second;

/** True when `value` is a whole number of `step`s. */
export const isMultipleOf = (value: Decimal, step: Decimal): boolean => value.mod(step).eq(ZERO);
