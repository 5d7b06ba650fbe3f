import { DAY, dayStart, isoDay } from '@slipstream/domain';

const SUNDAY = 0;
const MONDAY = 1;
const THURSDAY = 4;
const SATURDAY = 6;

/** A regular session in minutes since midnight New York. */
export interface DayHours {
  readonly opens: number;
  readonly closes: number;
}

const FULL_DAY: DayHours = { opens: 9 * 60 + 30, closes: 16 * 60 };
const SHORT_DAY: DayHours = { opens: 9 * 60 + 30, closes: 13 * 60 };

/** Closures that follow no rule. NYSE, "Special closings". */
const SPECIAL_CLOSURES: ReadonlySet<number> = new Set(
  [
    ['2001-09-11', '2001-09-12', '2001-09-13', '2001-09-14'], // attack on New York
    ['2004-06-11', '2007-01-02', '2018-12-05', '2025-01-09'], // mourning of Reagan, Ford, Bush, Carter
    ['2012-10-29', '2012-10-30'], // hurricane Sandy
  ]
    .flat()
    .map((date) => dayOf(date)),
);

/** Early closes that follow no rule. */
const SPECIAL_EARLY_CLOSES: ReadonlySet<number> = new Set([dayOf('2003-12-26')]);

/** The day of `date` (`YYYY-MM-DD`), as days since 1970-01-01; NaN for a date that there is not, such as 30 February. */
export function dayOf(date: string): number {
  if (!/^\d{4}-\d\d-\d\d$/.test(date)) return Number.NaN;
  const at = dayStart(date);
  return isoDay(at) === date ? at / DAY : Number.NaN;
}

const dayIn = (year: number, month: number, date: number): number =>
  Date.UTC(year, month - 1, date) / DAY;

/** 0 is Sunday. 1970-01-01 was a Thursday. */
const weekdayOf = (day: number): number => (((day + THURSDAY) % 7) + 7) % 7;

function nthWeekday(year: number, month: number, weekday: number, nth: number): number {
  const first = dayIn(year, month, 1);
  return first + ((weekday - weekdayOf(first) + 7) % 7) + (nth - 1) * 7;
}

function lastWeekday(year: number, month: number, weekday: number): number {
  const last = dayIn(year, month + 1, 0);
  return last - ((weekdayOf(last) - weekday + 7) % 7);
}

/** Easter Sunday, by Gauss' rule as Butcher completed it for the Gregorian calendar. */
function easter(year: number): number {
  const golden = year % 19;
  const century = Math.floor(year / 100);
  const inCentury = year % 100;
  const moonShift = Math.floor((century - Math.floor((century + 8) / 25) + 1) / 3);
  const epact = (19 * golden + century - Math.floor(century / 4) - moonShift + 15) % 30;
  const toSunday =
    (32 + 2 * (century % 4) + 2 * Math.floor(inCentury / 4) - epact - (inCentury % 4)) % 7;
  const late = Math.floor((golden + 11 * epact + 22 * toSunday) / 451);
  const march = epact + toSunday - 7 * late + 22;
  return dayIn(year, 3, march);
}

/** A holiday on a Saturday is observed on the Friday before, one on a Sunday on the Monday after. */
function observed(day: number): number {
  const weekday = weekdayOf(day);
  return weekday === SATURDAY ? day - 1 : weekday === SUNDAY ? day + 1 : day;
}

/** New Year on a Saturday is not observed: the Friday is the last of the year, and trades. */
function observedNewYear(year: number): number {
  const day = dayIn(year, 1, 1);
  return weekdayOf(day) === SATURDAY ? day : observed(day);
}

const holidaysOf = (year: number): number[] => [
  observedNewYear(year),
  ...(year >= 1998 ? [nthWeekday(year, 1, MONDAY, 3)] : []), // Martin Luther King
  nthWeekday(year, 2, MONDAY, 3), // Washington
  easter(year) - 2, // Good Friday
  lastWeekday(year, 5, MONDAY), // Memorial
  ...(year >= 2022 ? [observed(dayIn(year, 6, 19))] : []), // Juneteenth
  observed(dayIn(year, 7, 4)), // Independence
  nthWeekday(year, 9, MONDAY, 1), // Labor
  nthWeekday(year, 11, THURSDAY, 4), // Thanksgiving
  observed(dayIn(year, 12, 25)),
];

/** Until 2012 a 4th of July on a Thursday shortened the Friday after it, since then the Wednesday before. */
function aroundIndependence(year: number): number {
  const fourth = dayIn(year, 7, 4);
  return weekdayOf(fourth) === THURSDAY && year < 2013 ? fourth + 1 : fourth - 1;
}

const earlyClosesOf = (year: number): number[] => [
  aroundIndependence(year),
  nthWeekday(year, 11, THURSDAY, 4) + 1,
  dayIn(year, 12, 24),
];

/**
 * The regular session of the US stock exchanges on a day (days since 1970-01-01), or undefined when they are closed. Correct
 * from 1998 on; closures announced after this was written (a day of mourning) are unknown.
 */
export function usMarketHours(day: number): DayHours | undefined {
  const weekday = weekdayOf(day);
  if (weekday === SATURDAY || weekday === SUNDAY) return undefined;
  const year = new Date(day * DAY).getUTCFullYear();
  if (SPECIAL_CLOSURES.has(day) || holidaysOf(year).includes(day)) return undefined;
  const short = SPECIAL_EARLY_CLOSES.has(day) || earlyClosesOf(year).includes(day);
  return short ? SHORT_DAY : FULL_DAY;
}
