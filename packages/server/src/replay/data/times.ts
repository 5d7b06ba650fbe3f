import { DAY, HOUR, MINUTE, type Timestamp, isoDay } from '@slipstream/domain';

/** The place of a bar's time within its period. */
export type BarTime = 'start' | 'end';

/** A time as the file says it: a whole day, a moment, or a clock's time of a zone that the file does not name. */
export type SaidTime =
  | { readonly kind: 'day'; readonly date: string }
  | { readonly kind: 'moment'; readonly at: Timestamp }
  | { readonly kind: 'local'; readonly date: string; readonly time: string };

const DATE = /^\d{4}-\d\d-\d\d$/;
const TEXT = /^(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?)\s*(Z|[-+]\d\d:?\d\d)?$/i;
const EPOCH = /^\d{9,17}$/;
/** Digits of a moment in seconds, milliseconds and microseconds: from 1973 to 2286 (contract 12, "ms or µs by their digits"). */
const SECONDS_DIGITS = 11;
const MILLISECONDS_DIGITS = 14;

/** Whether there is such a day: 30 February would be read as a day of March. */
export function isDay(date: string): boolean {
  const at = DATE.test(date) ? Date.parse(`${date}T00:00:00Z`) : NaN;
  return !Number.isNaN(at) && isoDay(at) === date;
}

/** The moment that a count since 1970 names. */
function momentOf(digits: string): Timestamp {
  const count = Number(digits);
  if (digits.length < SECONDS_DIGITS) return count * 1_000;
  return digits.length < MILLISECONDS_DIGITS ? count : Math.floor(count / 1_000);
}

/** The time in a cell, or in one for the date and one for the clock; undefined if it names none. */
export function timeIn(text: string, clock?: string): SaidTime | undefined {
  const said = clock === undefined || clock === '' ? text.trim() : `${text.trim()} ${clock.trim()}`;
  if (isDay(said)) return { kind: 'day', date: said };
  if (EPOCH.test(said)) return { kind: 'moment', at: momentOf(said) };
  const [, date = '', time = '', zone] = TEXT.exec(said) ?? [];
  if (!isDay(date)) return undefined;
  if (zone === undefined) return { kind: 'local', date, time };
  const at = Date.parse(`${date}T${time}${zone.toUpperCase()}`);
  return Number.isNaN(at) ? undefined : { kind: 'moment', at };
}

/** Clock times of one zone. */
export interface Zone {
  /** The moment of that time; the first of two where clocks are set back. NaN for a time that is none. */
  at(date: string, time: string): Timestamp;
}

/** @throws RangeError when there is no such zone. */
export function zoneOf(name: string): Zone {
  const shown = new Intl.DateTimeFormat('sv-SE', {
    timeZone: name,
    dateStyle: 'short',
    timeStyle: 'medium',
  });
  const aheadAt = (moment: Timestamp): number =>
    Date.parse(`${shown.format(moment).replace(' ', 'T')}Z`) - Math.floor(moment / 1_000) * 1_000;
  /** By date, how far the zone is ahead of UTC before and after it: they differ on a day on which that changes. */
  const known = new Map<string, readonly [before: number, after: number]>();
  const aheadAround = (date: string): readonly [before: number, after: number] => {
    const found = known.get(date);
    if (found) return found;
    const noon = Date.parse(`${date}T12:00:00Z`);
    const around = [aheadAt(noon - 26 * HOUR), aheadAt(noon + 26 * HOUR)] as const;
    known.set(date, around);
    return around;
  };
  return {
    at(date, time) {
      const local = Date.parse(`${date}T${time}Z`);
      if (Number.isNaN(local)) return local;
      const [before, after] = aheadAround(date);
      if (before === after) return local - before;
      // Clocks that are set forward never show some times.
      const shows = (ahead: number): boolean => aheadAt(local - ahead) === ahead;
      return shows(before) ? local - before : shows(after) ? local - after : Number.NaN;
    },
  };
}

const UNITS: Readonly<Record<string, number>> = { s: 1_000, m: MINUTE, h: HOUR, d: DAY };

/** The length of `15m`, `1h` or `1d`; undefined for another text. */
export function lengthOf(text: string): number | undefined {
  const [, count, unit = ''] = /^([1-9]\d{0,3})([smhd])$/.exec(text) ?? [];
  const size = UNITS[unit];
  return count === undefined || size === undefined ? undefined : Number(count) * size;
}

/** The length as `15m`, `1h` or `1d`. */
export function lengthText(length: number): string {
  const [unit, size] = Object.entries(UNITS).findLast(([, one]) => length % one === 0) ?? [
    's',
    1_000,
  ];
  return `${length / size}${unit}`;
}
