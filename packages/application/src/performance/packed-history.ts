import {
  NO_STRETCH,
  type Stretch,
  type Timestamp,
  type ValueBucket,
  type ValueWindow,
  decimal,
} from '@slipstream/domain';
import type { Reach, ReadHistory } from './known-history.js';

// JSON has no infinite number and writes null: the segment has no beginning.
type Packed = readonly [
  windows: readonly PackedWindow[],
  /** For each reach the place of its window: a young strategy has few. */
  places: { readonly [Of in Reach]?: number },
  recent: PackedStretch | null,
  last: PackedBucket | null,
  at: Timestamp,
  through: Timestamp,
  since: Timestamp | null,
  baseline: string,
];
type PackedWindow = readonly [stages: string, added: PackedStretch | null];
type PackedStretch = readonly [high: string, low: string, drawdown: string, leavesAt: Timestamp];
type PackedBucket = readonly [
  start: Timestamp,
  length: number,
  last: string,
  lastAt: Timestamp,
  high: string,
  low: string,
  drawdown: string,
];

const packStretch = ({ span, leavesAt }: Stretch): PackedStretch | null =>
  span && [span.high.toFixed(), span.low.toFixed(), span.drawdown.toFixed(), leavesAt];

function unpackStretch(packed: PackedStretch | null): Stretch {
  if (!packed) return NO_STRETCH;
  const [high, low, drawdown, leavesAt] = packed;
  const span = { high: decimal(high), low: decimal(low), drawdown: decimal(drawdown) };
  return { span, leavesAt };
}

const packBucket = (one: ValueBucket): PackedBucket => [
  ...([one.start, one.length, one.last.toFixed(), one.lastAt] as const),
  ...([one.high.toFixed(), one.low.toFixed(), one.drawdown.toFixed()] as const),
];

function unpackBucket(packed: PackedBucket): ValueBucket {
  const [start, length, last, lastAt, high, low, drawdown] = packed;
  return {
    ...{ start, length, last: decimal(last), lastAt },
    ...{ high: decimal(high), low: decimal(low), drawdown: decimal(drawdown) },
  };
}

/** A history that rests, as one text: it takes a fifth of the memory. */
export function packHistory(history: ReadHistory): string {
  const { recent, last, at, through, baseline } = history;
  const windows: ValueWindow[] = [];
  const places: { [Of in Reach]?: number } = {};
  for (const [reach, window] of Object.entries(history.windows) as [Reach, ValueWindow][]) {
    const known = windows.indexOf(window);
    places[reach] = known < 0 ? windows.push(window) - 1 : known;
  }
  const packed: Packed = [
    windows.map(({ stages, added }): PackedWindow => [stages, packStretch(added)]),
    places,
    packStretch(recent),
    last ? packBucket(last) : null,
    at,
    through,
    baseline.since,
    baseline.value.toFixed(),
  ];
  return JSON.stringify(packed);
}

/** The history that was packed, to the last digit. */
export function unpackHistory(text: string): ReadHistory {
  const [packed, places, recent, last, at, through, since, value] = JSON.parse(text) as Packed;
  const made = packed.map(([stages, added]): ValueWindow => ({
    stages,
    added: unpackStretch(added),
  }));
  const windows: { [Of in Reach]?: ValueWindow } = {};
  for (const [reach, place] of Object.entries(places) as [Reach, number][])
    windows[reach] = made[place] as ValueWindow;
  return {
    ...{ at, through, windows },
    recent: unpackStretch(recent),
    last: last ? unpackBucket(last) : undefined,
    baseline: { since: since ?? -Infinity, value: decimal(value) },
  };
}
