import type { Timestamp } from './ids.js';
import { DAY, HOUR, MINUTE } from './time.js';

interface Civil {
  readonly year: number;
  /** 0 is January. */
  readonly month: number;
  readonly day: number;
}

const isLeap = (year: number): boolean => year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);

const daysIn = (year: number, month: number): number =>
  month === 1 ? (isLeap(year) ? 29 : 28) : [3, 5, 8, 10].includes(month) ? 30 : 31;

/** Days from 1970-01-01 to the first of January of `year`. */
function daysBefore(year: number): number {
  const past = year - 1;
  const leaps = Math.floor(past / 4) - Math.floor(past / 100) + Math.floor(past / 400);
  return past * 365 + leaps - 719_162;
}

function dateOf(days: number): Civil {
  let year = 1970 + Math.floor(days / 365.2425);
  while (daysBefore(year) > days) year -= 1;
  while (daysBefore(year + 1) <= days) year += 1;
  let day = days - daysBefore(year);
  let month = 0;
  for (; day >= daysIn(year, month); month += 1) day -= daysIn(year, month);
  return { year, month, day: day + 1 };
}

function daysOf({ year, month, day }: Civil): number {
  let days = daysBefore(year) + day - 1;
  for (let earlier = 0; earlier < month; earlier += 1) days += daysIn(year, earlier);
  return days;
}

/**
 * The same day and time `months` calendar months later (UTC), or the last day of a shorter month. Months are counted from
 * one anchor, so that a subscription of the 31st is due on the 31st again after a shorter month.
 */
export function addMonths(anchor: Timestamp, months: number): Timestamp {
  const days = Math.floor(anchor / DAY);
  const { year, month, day } = dateOf(days);
  const index = year * 12 + month + months;
  const [toYear, toMonth] = [Math.floor(index / 12), ((index % 12) + 12) % 12];
  const to = { year: toYear, month: toMonth, day: Math.min(day, daysIn(toYear, toMonth)) };
  return daysOf(to) * DAY + (anchor - days * DAY);
}

const padded = (part: number, length: number): string => String(part).padStart(length, '0');

/** The day in UTC for people and programs: 2026-01-31. */
export function isoDay(at: Timestamp): string {
  const { year, month, day } = dateOf(Math.floor(at / DAY));
  return [padded(year, 4), padded(month + 1, 2), padded(day, 2)].join('-');
}

/** A moment for people, whatever their zone: 2026-01-31 18:28 UTC. */
export function isoMinute(at: Timestamp): string {
  const time = at - Math.floor(at / DAY) * DAY;
  const [hours, minutes] = [Math.floor(time / HOUR), Math.floor((time % HOUR) / MINUTE)];
  return `${isoDay(at)} ${padded(hours, 2)}:${padded(minutes, 2)} UTC`;
}

/** The start of that day in UTC; the opposite of `isoDay`. */
export function dayStart(date: string): Timestamp {
  const [year = 0, month = 1, day = 1] = date.split('-').map(Number);
  return daysOf({ year, month: month - 1, day }) * DAY;
}
