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
  { dates, returns }: DailySeries,
  { from, to }: Window,
  isTradingDay: (date: string) => boolean,
): readonly Month[] {
  if (!returns) return [];
  const months = new Map<string, number[]>();
  for (const [at, date] of dates.entries()) {
    const name = date.slice(0, 7);
    const inside = months.get(name) ?? [];
    inside.push(returns[at] ?? 0);
    months.set(name, inside);
  }
  const [first, last] = [monthOf(from), monthOf(to)];
  const partial = new Set<string>();
  if (lacksDays(from - 1, -1, isTradingDay)) partial.add(first);
  if (lacksDays(to + 1, 1, isTradingDay)) partial.add(last);
  return [...months].map(([name, inside]) => ({
    year: Number(name.slice(0, -3)),
    month: Number(name.slice(-2)),
    growth: compounded(inside) ?? 0,
    isPartial: partial.has(name),
  }));
}
