/** A day's samples. Days are counted from 1970-01-01 in UTC. */
export interface DayExtremes {
  readonly day: number;
  readonly high: number;
  readonly low: number;
  /** The largest fall inside the day, a positive fraction. */
  readonly drawdown: number;
  /** The last sample. */
  readonly close: number;
}

/** A fall below a peak, until the value is back. */
export interface Episode {
  /** The last day at the peak. */
  readonly start: number;
  /** The day of the lowest value. */
  readonly valley: number;
  /** The first day on which the value was at the peak again; null while it is open. */
  readonly end: number | null;
  /** (peak - valley) / peak, a positive fraction. */
  readonly depth: number;
}

const fall = (peak: number, value: number): number => (value < peak ? (peak - value) / peak : 0);

/** Figures of 18 places become doubles: falls that differ by less than this are one. */
const SAME = 1e-12;

/**
 * All falls below a peak, oldest first; the first peak is `base`, which is positive. The samples of a day have no order here. A
 * fall inside the day of a new peak belongs to the episode that begins on that day, unless the earlier one explains it. `counted`
 * are the days over which a value is carried forward, oldest first: a peak lasts over those that have no samples.
 */
export function episodesOf(
  base: number,
  baseDay: number,
  days: readonly DayExtremes[],
  counted: readonly number[] = [],
): readonly Episode[] {
  const episodes: Episode[] = [];
  let peak = base;
  let open = { start: baseDay, valley: baseDay, depth: 0 };
  let next = 0;
  const lastCountedBefore = (day: number): number => {
    while ((counted[next] ?? day) < day) next += 1;
    return counted[next - 1] ?? baseDay;
  };
  const deepen = (day: number, depth: number): void => {
    if (depth <= open.depth) return;
    if (open.depth === 0) open = { ...open, start: Math.max(open.start, lastCountedBefore(day)) };
    const isLower = depth > open.depth * (1 + SAME);
    open = { ...open, valley: isLower ? day : open.valley, depth };
  };
  const close = (end: number | null): void => {
    if (open.depth > 0) episodes.push({ ...open, end });
  };
  for (const { day, high, low, drawdown, close: last } of days) {
    const deepest = fall(peak, low);
    if (high < peak) {
      deepen(day, deepest);
      continue;
    }
    // Below zero the fall from a lower peak is the larger fraction: such a one of the day is of no peak.
    const isOfPeak = low >= 0 || drawdown <= deepest;
    const isAfterPeak = isOfPeak && drawdown >= fall(high, low) * (1 - SAME);
    if (!isAfterPeak) deepen(day, deepest);
    close(day);
    peak = high;
    open = { start: day, valley: day, depth: 0 };
    if (isAfterPeak || (low >= 0 && drawdown > deepest)) deepen(day, drawdown);
    // Whatever the order was, a day that ends below its peak fell from it, and one that ends at it is above water again.
    deepen(day, fall(high, last));
    if (last >= high) {
      close(day);
      open = { start: day, valley: day, depth: 0 };
    }
  }
  close(null);
  return episodes;
}

/** The largest fall, a positive fraction; zero without one. */
export const deepestOf = (episodes: readonly Episode[]): number =>
  episodes.reduce((deepest, { depth }) => Math.max(deepest, depth), 0);

/** The days that an episode lasted, or has lasted by `today`. */
export const daysUnder = ({ start, end }: Episode, today: number): number => (end ?? today) - start;
