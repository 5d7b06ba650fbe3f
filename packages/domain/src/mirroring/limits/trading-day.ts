import type { Security } from '../../market/stock.js';
import type { Timestamp } from '../../ids.js';
import { DAY, HOUR, MINUTE } from '../../time.js';

/** Day 0 of the calendar, 1970-01-01, was a Thursday. */
const EPOCH_WEEKDAY = 4;

/** The leap days before the first of January of that year. */
const leapDays = (year: number): number =>
  Math.floor((year - 1) / 4) - Math.floor((year - 1) / 100) + Math.floor((year - 1) / 400);

/** The first of January of that year, in days since 1970. */
const newYear = (year: number): number => 365 * (year - 1970) + leapDays(year) - leapDays(1970);

function yearOf(at: Timestamp): number {
  const day = Math.floor(at / DAY);

  let year = 1970 + Math.floor(day / 366);
  while (newYear(year + 1) <= day) year += 1;
  return year;
}

/** The n-th Sunday at or after that day, at 00:00 UTC. */
const sunday = (day: number, nth: number): Timestamp =>
  (day + ((7 - ((day + EPOCH_WEEKDAY) % 7)) % 7) + 7 * (nth - 1)) * DAY;

/** New York's distance from UTC: summer time from the second Sunday of March to the first of November, at 2:00 there. */
function newYorkOffset(at: Timestamp): number {
  const year = yearOf(at);
  // Counted from the next new year, months after February do not depend on leap years.
  const march = newYear(year + 1) - 306;
  const november = newYear(year + 1) - 61;
  const isSummer = at >= sunday(march, 2) + 7 * HOUR && at < sunday(november, 1) + 6 * HOUR;
  return (isSummer ? -4 : -5) * HOUR;
}

/** When the day of a bot began: at midnight in New York for stocks, at midnight UTC for coins (contract 10). */
export function tradingDay(security: Security, now: Timestamp): Timestamp {
  if (security === 'cryptocurrency') return Math.floor(now / DAY) * DAY;
  const offset = newYorkOffset(now);
  const midnight = Math.floor((now + offset) / DAY) * DAY;
  // The clocks change at 2:00, so midnight may have the other offset.
  return midnight - newYorkOffset(midnight - offset);
}

/** The clocks' time in that many milliseconds after their midnight. `day` is a midnight as if the clocks showed UTC. */
const momentOf = (security: Security, day: number, time: number): Timestamp =>
  security === 'cryptocurrency'
    ? day + time
    : // Five hours later the clocks of UTC show the same or the next hour, so that the offset is that of the moment.
      day + time - newYorkOffset(day + time + 5 * HOUR);

/** When clocks (New York's for stocks, UTC's for coins) last showed `HH:MM`, and when they next will (contract 10). */
export function clockTimes(
  security: Security,
  at: string,
  now: Timestamp,
): { readonly last: Timestamp; readonly next: Timestamp } {
  const [hours = 0, minutes = 0] = at.split(':').map(Number);
  const time = hours * HOUR + minutes * MINUTE;
  const offset = security === 'cryptocurrency' ? 0 : newYorkOffset(now);
  const today = Math.floor((now + offset) / DAY) * DAY;
  const isPast = momentOf(security, today, time) <= now;
  const day = isPast ? today : today - DAY;
  return { last: momentOf(security, day, time), next: momentOf(security, day + DAY, time) };
}
