/**
 * The whole number that the option `--name` gives: nine digits, which is more than `npm run verify` makes of a seed of six.
 * @throws when it is none, or longer.
 */
export function wholeNumber(text: string, name: string): number {
  if (/^\d{1,9}$/.test(text)) return Number(text);
  throw new Error(`--${name} must be a whole number of at most nine digits`);
}
