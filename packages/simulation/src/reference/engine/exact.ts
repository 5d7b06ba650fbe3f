import { Fraction } from 'fraction.js';
import type { Decimal } from '@slipstream/domain';

/** An exact fraction: only `rounded` rounds. */
export type Exact = Fraction;

export const exact = (text: string): Exact => new Fraction(text);
export const exactOf = (value: Decimal): Exact => new Fraction(value.toFixed());

export const ZERO = exact('0');
export const ONE = exact('1');
export const TWO = exact('2');
/** One unit of the 18th place. */
export const SMALLEST = exact('0.000000000000000001');

const UNITS = 10n ** 18n;

/** At 18 places (contract 1, "Decimals"); `down` is towards zero, `up` away from it. */
export function rounded(value: Exact, mode: 'half_even' | 'down' | 'up' = 'half_even'): Exact {
  const scaled = value.n * UNITS;
  const whole = scaled / value.d;
  const left = scaled % value.d;
  if (left === 0n) return value;
  const half = 2n * left - value.d;
  const isNext =
    mode === 'up' || (mode === 'half_even' && (half > 0n || (half === 0n && whole % 2n === 1n)));
  return new Fraction(value.s * (isNext ? whole + 1n : whole), UNITS);
}

export const isPositive = (value: Exact): boolean => value.s > 0n && value.n > 0n;
export const isNegative = (value: Exact): boolean => value.s < 0n && value.n > 0n;
export const isZero = (value: Exact): boolean => value.n === 0n;
export const largest = (...values: readonly Exact[]): Exact =>
  values.reduce((most, value) => (value.gt(most) ? value : most));
export const smallest = (...values: readonly Exact[]): Exact =>
  values.reduce((least, value) => (value.lt(least) ? value : least));
export const total = (values: readonly Exact[]): Exact =>
  values.reduce((sum, value) => sum.add(value), ZERO);

/** As a caller writes it, with at most this many places. */
export function asText(value: Exact, places = 18): string {
  const power = 10n ** BigInt(places);
  const units = (value.n * power) / value.d;
  const digits = units.toString().padStart(places + 1, '0');
  const cut = digits.length - places;
  const text = places === 0 ? digits : `${digits.slice(0, cut)}.${digits.slice(cut)}`;
  const plain = text.includes('.') ? text.replace(/\.?0+$/, '') : text;
  return value.s < 0n && units > 0n ? `-${plain}` : plain;
}
