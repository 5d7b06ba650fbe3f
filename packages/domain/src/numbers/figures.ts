import { type Decimal, decimalText, sign } from './decimal.js';
import { Refusal } from '../refusal.js';

/**
 * The figure, which must be above zero: one below it would go the other way, and give what it should take.
 * @throws {Refusal} `invalid_field`.
 */
export function requireAboveZero(name: string, value: Decimal): Decimal {
  if (sign(value) > 0) return value;
  throw new Refusal('invalid_field', `${name} must be greater than 0`);
}

/**
 * Refuses a figure that is not between two others, which are allowed.
 * @throws {Refusal} `invalid_field`.
 */
export function requireWithin(name: string, value: Decimal, least: Decimal, most: Decimal): void {
  if (value.lt(least) || value.gt(most))
    throw new Refusal(
      'invalid_field',
      `${name} must be between ${decimalText(least)} and ${decimalText(most)}`,
    );
}

/**
 * Refuses a number that is not a whole one between two others, which are allowed.
 * @throws {Refusal} `invalid_field`.
 */
export function requireWhole(name: string, value: number, least: number, most: number): void {
  if (!Number.isInteger(value) || value < least || value > most)
    throw new Refusal('invalid_field', `${name} must be a whole number from ${least} to ${most}`);
}
