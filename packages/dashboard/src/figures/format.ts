/** Figures are the service's decimal text. `Intl` formats such text exactly; nothing here turns it into a number. */

type Text = Intl.StringNumericLiteral;
const made = new Map<string, Intl.NumberFormat>();

function numberFormat(options: Intl.NumberFormatOptions): Intl.NumberFormat {
  const key = JSON.stringify(options);
  // What is shown as zero has no sign.
  const all = { signDisplay: 'negative', ...options } as const;
  const known = made.get(key) ?? new Intl.NumberFormat(undefined, all);
  made.set(key, known);
  return known;
}

/** What stands for a figure that is not there. */
const MISSING = '–';

const with_ =
  (options: Intl.NumberFormatOptions) =>
  (text: string | null | undefined): string =>
    text === null || text === undefined ? MISSING : numberFormat(options).format(text as Text);

/** A normalized value with four decimals. */
export const value = with_({ minimumFractionDigits: 4, maximumFractionDigits: 4 });
const SIGNED: Intl.NumberFormatOptions = {
  style: 'percent',
  minimumFractionDigits: 2,
  maximumFractionDigits: 2,
  signDisplay: 'exceptZero',
};
/** A fraction as signed percent. */
export const change = with_(SIGNED);
/** A drawdown, which the service answers as a positive fraction, with its sign. */
export const fall = (text: string | null | undefined): string => change(fallen(text));
/** The same as a fraction. */
export const fallen = (text: string | null | undefined): string | null | undefined =>
  text === null || text === undefined || text.startsWith('-') ? text : `-${text}`;
/** A fraction as percent. */
export const percent = with_({
  style: 'percent',
  minimumFractionDigits: 2,
  maximumFractionDigits: 2,
});
/** US dollars with cents. */
export const dollars = with_({ style: 'currency', currency: 'USD' });
/** An amount of money in the reader's own currency, which the service does not know. */
export const money = with_({ minimumFractionDigits: 2, maximumFractionDigits: 2 });
/** Six digits that count, where the decimals alone would show nothing: of cheap coins, and of the little of a dear one that the value 1 buys. */
const SMALL = { maximumSignificantDigits: 6, roundingPriority: 'morePrecision' } as const;
/** A market price, as exact as it came. */
export const price = with_({ minimumFractionDigits: 2, maximumFractionDigits: 10, ...SMALL });
/** An average price, which may have many places. */
export const roughPrice = with_({ minimumFractionDigits: 2, maximumFractionDigits: 4, ...SMALL });
/** A quantity of shares or coins. */
export const quantity = with_({ maximumFractionDigits: 6, ...SMALL });
/** A plain number with two decimals. */
export const ratio = with_({ maximumFractionDigits: 2 });
/** A whole number. */
export const count = with_({ maximumFractionDigits: 0 });

/** The class of a signed fraction. What is shown as zero has none. */
export function tone(text: string | null | undefined): 'up' | 'down' | '' {
  if (text === null || text === undefined) return '';
  const parts = numberFormat(SIGNED).formatToParts(text as Text);
  if (parts.some(({ type }) => type === 'minusSign')) return 'down';
  return parts.some(({ type }) => type === 'plusSign') ? 'up' : '';
}

const times = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' });
const days = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium' });
const daysInUtc = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeZone: 'UTC' });
const seconds = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'medium' });

/** A moment in the reader's zone. */
export const moment = (text: string | null): string =>
  text === null ? MISSING : times.format(new Date(text));
/** A moment to the second. */
export const exactMoment = (text: string | null): string =>
  text === null ? MISSING : seconds.format(new Date(text));
/** The day of a moment in the reader's zone. */
export const day = (text: string | null): string =>
  text === null ? MISSING : days.format(new Date(text));
/** A day of the service, which counts in UTC. */
export const utcDay = (text: string | null): string =>
  text === null ? MISSING : daysInUtc.format(new Date(`${text}T00:00:00Z`));

/** The price of a month. */
export const monthly = (dollarsText: number): string =>
  dollarsText === 0
    ? 'free'
    : numberFormat({ style: 'currency', currency: 'USD', maximumFractionDigits: 0 }).format(
        dollarsText,
      );

/** A word of the service for people: `stop_market` is "stop market". */
export const words = (name: string): string => name.replaceAll('_', ' ');
