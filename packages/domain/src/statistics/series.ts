import { isoDay } from '../calendar.js';
import { dayOf } from '../performance/values/value-day.js';
import { DAY } from '../time.js';
import type { FigureSpan } from './figure.js';
import type { DayFigures, RecordFigures, SegmentBase } from './record/record-reader.js';

/** Days counted from 1970-01-01 in UTC, both included. */
export interface Window {
  readonly from: number;
  readonly to: number;
}

/** The date of a day for people and programs. */
export const dateOfDay = (day: number): string => isoDay(day * DAY);

/** Every month has as many days. */
const IN_EVERY_MONTH = 28;

/** The date of `day`, from the one of the day before: within a month without the calendar, which takes longer. */
function dateAfter(before: string, day: number): string {
  const ofMonth = Number(before.slice(-2)) + 1;
  return ofMonth > IN_EVERY_MONTH
    ? dateOfDay(day)
    : `${before.slice(0, -2)}${ofMonth < 10 ? '0' : ''}${ofMonth}`;
}

/** The dates of a window. */
export const spanOf = ({ from, to }: Window): FigureSpan => ({
  from: dateOfDay(from),
  to: dateOfDay(to),
});

/** The value of each counted day, the last one carried forward. */
export interface DailySeries {
  /** The value before the first day, and its day: the segment's first value, or the close of the day before the window. */
  readonly base: number;
  readonly baseDay: number;
  readonly days: readonly number[];
  /** The dates of these days. */
  readonly dates: readonly string[];
  readonly values: readonly number[];
  /** Of each counted day since the one before. Null where a value before is not positive. */
  readonly returns: readonly number[] | null;
}

const baseOf = (figures: RecordFigures, segment: SegmentBase, { from }: Window) => {
  const startDay = dayOf(segment.startedAt);
  if (from <= startDay) return { base: segment.value, baseDay: startDay };
  const before = figures.days.findLast(({ day }) => day < from);
  return { base: before?.close ?? segment.value, baseDay: from - 1 };
};

/** The return of each value since the one before; null if one before is not positive. */
export function returnsOf(base: number, values: readonly number[]): readonly number[] | null {
  let before = base;
  const returns: number[] = [];
  for (const value of values) {
    if (!(before > 0)) return null;
    returns.push(value / before - 1);
    before = value;
  }
  return returns;
}

/**
 * The daily series of a window (contract 9). Days without a regular session are left out: their move counts in the next counted
 * day's return.
 */
export function dailySeries(
  figures: RecordFigures,
  segment: SegmentBase,
  window: Window,
  isTradingDay: (date: string) => boolean,
): DailySeries {
  const start = baseOf(figures, segment, window);
  const [days, dates, values]: [number[], string[], number[]] = [[], [], []];
  let value = start.base;
  let next = figures.days.findIndex(({ day }) => day >= window.from);
  if (next === -1) next = figures.days.length;
  let date = dateOfDay(window.from - 1);
  for (let day = window.from; day <= window.to; day += 1) {
    date = dateAfter(date, day);
    for (let known = figures.days[next]; known && known.day <= day; known = figures.days[next]) {
      value = known.close;
      next += 1;
    }
    if (!isTradingDay(date)) continue;
    days.push(day);
    dates.push(date);
    values.push(value);
  }
  return { ...start, days, dates, values, returns: returnsOf(start.base, values) };
}

/** The recorded days of a window. */
export const daysWithin = <Part extends { readonly day: number }>(
  parts: readonly Part[],
  { from, to }: Window,
): readonly Part[] => parts.filter(({ day }) => day >= from && day <= to);

/** Whether the record keeps all samples of these days. */
export const areSampled = (
  days: readonly DayFigures[],
): days is readonly (DayFigures & { readonly samples: NonNullable<DayFigures['samples']> })[] =>
  days.every(({ samples }) => samples !== null);
