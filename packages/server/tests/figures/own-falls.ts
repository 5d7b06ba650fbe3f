import { DAY } from '@slipstream/domain';
import type { OwnSample } from './ledger.js';
import { type OwnRecord, closesOf, dateOf, startOf } from './own-statistics.js';

/** The return of each month that has a counted day: its last close by the close before the month. */
export function ownMonths(record: OwnRecord): readonly { month: string; return: number }[] {
  const { before, closes } = closesOf(record);
  const months = new Map<string, { readonly start: number; readonly end: number }>();
  let last = before;
  for (const { date, value } of closes) {
    const { start } = months.get(date.slice(0, 7)) ?? { start: last };
    months.set(date.slice(0, 7), { start, end: value });
    last = value;
  }
  return [...months].map(([month, { start, end }]) => ({ month, return: end / start - 1 }));
}

/** A fall from a peak until it is reached again. */
interface OwnFall {
  readonly start: string;
  readonly valley: string;
  readonly end: string | null;
  readonly depth: number;
  readonly days: number;
}

/**
 * All falls of the span, sample by sample. Null if a day of it has both a new peak and a fall: the record does not keep their order,
 * so that its falls may be others.
 */
export function ownFalls(record: OwnRecord): readonly OwnFall[] | null {
  const { to, from, dates } = record;
  const [start, end] = [startOf(record), Date.parse(to) + DAY];
  const falls: OwnFall[] = [];
  let peak = closesOf(record).before;
  let peakDay = dateOf(from === undefined || start === record.createdAt ? start : start - DAY);
  let open: { readonly valley: string; readonly depth: number } | undefined;
  const [risen, fallen] = [new Set<string>(), new Set<string>()];

  const close = (until: string | null): void => {
    const days = (Date.parse(until ?? to) - Date.parse(peakDay)) / DAY;
    if (open) falls.push({ start: peakDay, end: until, ...open, days });
    open = undefined;
  };
  const look = ({ at, value }: OwnSample): void => {
    const day = dateOf(at);
    if (value >= peak) {
      close(day);
      if (value > peak) risen.add(day);
      [peak, peakDay] = [value, day];
      return;
    }
    fallen.add(day);
    // The last value is carried forward over the days without one.
    if (!open) peakDay = dates.findLast((date) => date > peakDay && date < day) ?? peakDay;
    const depth = (peak - value) / peak;
    if (depth > (open?.depth ?? 0)) open = { valley: day, depth };
  };
  for (const sample of record.samples) if (sample.at >= start && sample.at < end) look(sample);
  close(null);
  const isMixed = [...risen].some((day) => fallen.has(day));
  return isMixed ? null : falls.toSorted((one, other) => other.depth - one.depth);
}
