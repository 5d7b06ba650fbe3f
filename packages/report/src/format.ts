import { type Timestamp, decimal, decimalText } from '@slipstream/domain';

const MINUS = '\u2212';
const NONE = '–';
const HUNDRED = decimal('100');

/** A time in UTC as `YYYY-MM-DDTHH:MM:SS.sssZ`. */
const isoTime = (at: Timestamp): string => new Date(at).toISOString();

/** The same for people, to the minute. */
export const shortTime = (at: Timestamp): string => `${isoTime(at).slice(0, 16).replace('T', ' ')}`;

const withMinus = (text: string): string => text.replace('-', MINUS);

const NOT_ZERO = /[1-9]/;
/** As `Intl` rounds on the pages. */
const HALF_UP = 1;

/** A decimal text rounded half up, away from zero, with as many places as asked for. What is shown as zero has no sign. */
export function rounded(text: string, places: number): string {
  const shown = decimal(text).toFixed(places, HALF_UP);
  return withMinus(NOT_ZERO.test(shown) ? shown : shown.replace('-', ''));
}

/** With a plus sign where it is shown above zero. */
const withPlus = (shown: string): string =>
  NOT_ZERO.test(shown) && !shown.startsWith(MINUS) ? `+${shown}` : shown;

/** A fraction as a percentage with two places. */
export const percent = (text: string, places = 2): string =>
  `${rounded(decimalText(decimal(text).times(HUNDRED)), places)}\u00a0%`;

/** The same with a plus sign where it is above zero. */
export const signedPercent = (text: string): string => withPlus(percent(text));

const isPositive = (text: string): boolean => Number(text) > 0;

/** The same without the sign of percent, for a table that says it once. */
export const signedPoints = (text: string): string => signedPercent(text).replace('\u00a0%', '');

/** How a figure is written. */
export type Form = 'percent' | 'signed' | 'ratio' | 'days' | 'count' | 'times';

const WRITE: Readonly<Record<Form, (text: string) => string>> = {
  percent,
  signed: signedPercent,
  ratio: (text) => rounded(text, 2),
  days: (text) => rounded(text, Number.isInteger(Number(text)) ? 0 : 1),
  count: (text) => rounded(text, 0),
  times: (text) => `${rounded(text, 2)}\u00a0×`,
};

/** A figure for people; a dash where there is none. */
export const written = (value: string | null, form: Form): string =>
  value === null ? NONE : WRITE[form](value);

/** The class of a gain or a loss; none at zero. */
export const toneOf = (value: string | null): 'gain' | 'loss' | undefined =>
  value === null || Number(value) === 0 ? undefined : isPositive(value) ? 'gain' : 'loss';

const THOUSANDS = /\B(?=(\d{3})+$)/g;

/** Dollars with two places, rounded half up. */
export function usd(text: string): string {
  const [whole = '', cents = ''] = rounded(text, 2).split('.');
  return `${whole.replace(THOUSANDS, '\u202f')}.${cents}\u00a0USD`;
}

/** The same with a plus sign where it is above zero. */
export const signedUsd = (text: string): string => withPlus(usd(text));
