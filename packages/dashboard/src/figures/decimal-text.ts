/** Moves the point of a decimal text, without any arithmetic in floating point; undefined if it is no decimal. */
function shifted(text: string, places: number): string | undefined {
  const [, sign, whole = '', part = ''] = /^\s*([-+]?)(\d*)\.?(\d*)\s*$/.exec(text) ?? [];
  if (sign === undefined || whole + part === '') return undefined;
  const digits =
    places <= 0 ? whole.padStart(1 - places, '0') + part : whole + part.padEnd(places, '0');
  const point = places <= 0 ? Math.max(whole.length, 1 - places) + places : whole.length + places;
  const before = digits.slice(0, point).replace(/^0+(?=\d)/, '') || '0';
  const after = digits.slice(point).replace(/0+$/, '');
  const number = after === '' ? before : `${before}.${after}`;
  return sign === '-' && number !== '0' ? `-${number}` : number;
}

/** Percent as the reader types them, as a fraction for the service: `12.5` is `0.125`. */
export const fractionOf = (percent: string): string | undefined => shifted(percent, -2);
/** A fraction of the service as percent for a field: `0.125` is `12.5`. */
export const percentOf = (fraction: string): string => shifted(fraction, 2) ?? fraction;

/** The exact product of two decimal texts; undefined if one is no decimal. */
export function product(one: string, other: string): string | undefined {
  const parts = [one, other].map((text) => /^(-?)(\d+)(?:\.(\d+))?$/.exec(text.trim()));
  const [a, b] = parts;
  if (!a || !b) return undefined;
  const digits = String(BigInt(`${a[2]}${a[3] ?? ''}`) * BigInt(`${b[2]}${b[3] ?? ''}`));
  const places = (a[3]?.length ?? 0) + (b[3]?.length ?? 0);
  const number = shifted(digits, -places);
  return a[1] === b[1] || number === '0' ? number : `-${number}`;
}

/** More than products of two figures of the service have. */
const PLACES = 40;

/** The exact sum of two decimal texts; undefined if one is no decimal. */
export function sum(one: string, other: string): string | undefined {
  const [a, b] = [one, other].map((text) => shifted(text, PLACES));
  if (a === undefined || b === undefined) return undefined;
  return shifted(String(BigInt(a) + BigInt(b)), -PLACES);
}

/** `part / whole − less` with 18 places, cut; undefined of zero or without decimals. */
function quotient(whole: string, part: string, less: bigint): string | undefined {
  const exact = [whole, part].map((text) => shifted(text, 36)?.split('.')[0]);
  const [of, one] = exact.map((text) => (text === undefined ? undefined : BigInt(text)));
  if (!of || one === undefined) return undefined;
  return shifted(String(((one - less * of) * 10n ** 18n) / of), -18);
}

/** The part of a decimal text that another one is, as a fraction with 18 places, cut; undefined of zero or without decimals. */
export const partOf = (whole: string, part: string): string | undefined =>
  quotient(whole, part, 0n);

/** The change from one decimal text to another as a fraction with 18 places, cut; undefined from zero or without decimals. */
export const changeBetween = (before: string, now: string): string | undefined =>
  quotient(before, now, 1n);

/** The exact return of several in a row, as a fraction: (1 + a)(1 + b) … − 1. Undefined if one is no decimal. */
export function compounded(returns: readonly string[]): string | undefined {
  let [grown, unit] = [1n, 1n];
  let places = 0;
  for (const text of returns) {
    const [, sign, whole, part = ''] = /^(-?)(\d+)(?:\.(\d+))?$/.exec(text.trim()) ?? [];
    if (whole === undefined) return undefined;
    const one = 10n ** BigInt(part.length);
    const change = BigInt(`${sign}${whole}${part}`);
    [grown, unit] = [grown * (one + change), unit * one];
    places += part.length;
  }
  return shifted(String(grown - unit), -places);
}
