import { compounded } from './measures/returns.js';
import { type DailySeries, type Window, dateOfDay } from './series.js';

/** The return of a calendar month. */
export interface Month {
  readonly year: number;
  /** 1 is January. */
  readonly month: number;
  readonly growth: number;
  /** Whether the window lacks counted days of it. */
  readonly isPartial: boolean;
}

const monthOf = (day: number): string => dateOfDay(day).slice(0, 7);

/** Whether the neighbouring days in that direction are of the same month and one of them counts. */
function lacksDays(beyond: number, step: 1 | -1, isTradingDay: (date: string) => boolean): boolean {
  const inside = monthOf(beyond - step);
  for (let day = beyond; monthOf(day) === inside; day += step)
    if (isTradingDay(dateOfDay(day))) return true;
  return false;
}

/** Returns compounded inside each calendar month that has a counted day, oldest first. */
export function monthsOf(
  { base, dates, values, returns }: DailySeries,
  { from, to }: Window,
  isTradingDay: (date: string) => boolean,
): readonly Month[] {
  if (!returns) return [];
  const months = new Map<string, { readonly start: number; end: number; returns: number[] }>();
  for (const [at, date] of dates.entries()) {
    const name = date.slice(0, 7);
    const inside = months.get(name) ?? { start: values[at - 1] ?? base, end: 0, returns: [] };
    inside.returns.push(returns[at] ?? 0);
    inside.end = values[at] ?? 0;
    months.set(name, inside);
  }
  const [first, last] = [monthOf(from), monthOf(to)];
  const partial = new Set<string>();
  if (lacksDays(from - 1, -1, isTradingDay)) partial.add(first);
  if (lacksDays(to + 1, 1, isTradingDay)) partial.add(last);
  return [...months].map(([name, inside]) => ({
    year: Number(name.slice(0, -3)),
    month: Number(name.slice(-2)),
    // The noise of doubles must not make a gain or a loss of a month that ended where it began.
    growth: inside.start === inside.end ? 0 : (compounded(inside.returns) ?? 0),
    isPartial: partial.has(name),
  }));
}
