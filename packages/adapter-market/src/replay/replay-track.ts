import type { Recorded } from './recording-files.js';
import { type RecordedSeries, dayOfMoment } from './recorded-series.js';

/** Instruments that were recorded on common days, and so are played in step. */
export interface Track {
  /** Every moment at which one of them changed, oldest first, without nights and other gaps. */
  readonly moments: Int32Array;
  readonly recorded: readonly Recorded[];
}

interface Group {
  readonly days: Set<number>;
  readonly recorded: readonly Recorded[];
}

const daysOf = ({ moments }: RecordedSeries): Set<number> =>
  new Set(Array.from(moments, dayOfMoment));

const haveCommon = (one: ReadonlySet<number>, other: ReadonlySet<number>): boolean => {
  for (const day of one) if (other.has(day)) return true;
  return false;
};

function momentsOf(recorded: readonly Recorded[]): Int32Array {
  const all = new Set<number>();
  for (const { series } of recorded) for (const moment of series.moments) all.add(moment);
  return Int32Array.from(all).sort();
}

/** One track for the instruments that share recorded days; each other instrument has its own track, as long as its own days. */
export function tracksOf(recorded: readonly Recorded[]): Track[] {
  let groups: Group[] = [];
  for (const one of recorded) {
    const days = daysOf(one.series);
    const joined = groups.filter((group) => haveCommon(days, group.days));
    const merged: Group = {
      days: new Set([...days, ...joined.flatMap((group) => [...group.days])]),
      recorded: [...joined.flatMap((group) => group.recorded), one],
    };
    groups = [...groups.filter((group) => !joined.includes(group)), merged];
  }
  return groups.map((group) => ({ recorded: group.recorded, moments: momentsOf(group.recorded) }));
}

/** The present place of a series in its track. */
export interface Head {
  readonly recorded: Recorded;
  /** The present row. */
  readonly row: number;
}

/** Plays a track from its first moment to its last and back again, forever, so that no price jumps or drifts away. */
export interface TrackPlayer {
  heads(): readonly Head[];
  /** Advances by one moment; returns the series whose row changed. */
  step(): readonly Head[];
}

/** The row at `moment`, near `row`; before the first row, the first one. */
function rowAt(moments: Int32Array, row: number, moment: number): number {
  let at = row;
  while ((moments[at + 1] ?? Infinity) <= moment) at += 1;
  while (at > 0 && (moments[at] ?? 0) > moment) at -= 1;
  return at;
}

export function trackPlayer({ moments, recorded }: Track): TrackPlayer {
  const rows = recorded.map(() => 0);
  const headAt = (index: number): Head[] => {
    const one = recorded[index];
    return one ? [{ recorded: one, row: rows[index] ?? 0 }] : [];
  };
  let position = 0;
  let direction = 1;

  return {
    heads: () => recorded.flatMap((_, index) => headAt(index)),
    step: () => {
      if (moments[position + direction] === undefined) direction = -direction;
      position = Math.min(Math.max(position + direction, 0), moments.length - 1);
      const moment = moments[position] ?? 0;
      return recorded.flatMap(({ series }, index) => {
        const row = rowAt(series.moments, rows[index] ?? 0, moment);
        if (row === rows[index]) return [];
        rows[index] = row;
        return headAt(index);
      });
    },
  };
}
