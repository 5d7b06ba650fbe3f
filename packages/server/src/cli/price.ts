import { InvalidArgumentError } from 'commander';

/** A monthly price, of digits alone: an empty text, such as a variable that is not set, is not the price of nothing. */
export function wholeUsd(text: string): number {
  if (!/^\d{1,9}$/.test(text)) throw new InvalidArgumentError('It must be a whole number of USD.');
  return Number(text);
}
