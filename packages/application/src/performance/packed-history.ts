import {
  type Decimal,
  type Timestamp,
  type ValueBucket,
  type ValueWindow,
  decimal,
} from '@slipstream/domain';
import type { Reach, ReadHistory } from './known-history.js';

type Stage = ValueWindow['stages'][number];
type Span = NonNullable<ValueWindow['added']>;

// Figures and stages stand in tables, because most occur more than once; others name them by their place. JSON has no
// infinite number and writes null: nothing ever leaves, or the segment has no beginning.
type Place = number;
type PackedSpan = readonly [high: Place, low: Place, drawdown: Place];
type PackedBucket = readonly [
  ...span: PackedSpan,
  start: Timestamp,
  length: number,
  last: Place,
  lastAt: Timestamp,
];
type PackedStage = readonly [leavesAt: Timestamp | null, past: Place, rest: PackedSpan | null];
type PackedWindow = readonly [
  reach: Reach,
  list: Place,
  added: PackedSpan | null,
  addedLeavesAt: Timestamp | null,
];
type Packed = readonly [
  figures: readonly string[],
  stages: readonly PackedStage[],
  lists: readonly (readonly Place[])[],
  windows: readonly PackedWindow[],
  recent: readonly PackedBucket[],
  last: PackedBucket | null,
  at: Timestamp,
  through: Timestamp,
  since: Timestamp | null,
  baseline: Place,
];

/** The places of things in the order in which they were asked for. */
function table<One>() {
  const places = new Map<One, Place>();
  return {
    place(one: One): Place {
      const known = places.get(one) ?? places.size;
      places.set(one, known);
      return known;
    },
    all: (): One[] => [...places.keys()],
  };
}

/** A history that rests, as one text: it takes a tenth of the memory. */
export function packHistory(history: ReadHistory): string {
  const { windows, recent, last, at, through, baseline } = history;
  const [figures, stages, lists] = [table<string>(), table<Stage>(), table<readonly Stage[]>()];
  const figure = (one: Decimal): Place => figures.place(one.toFixed());
  const span = ({ high, low, drawdown }: Span): PackedSpan => [
    figure(high),
    figure(low),
    figure(drawdown),
  ];
  const bucket = (one: ValueBucket): PackedBucket => [
    ...span(one),
    one.start,
    one.length,
    figure(one.last),
    one.lastAt,
  ];
  const packedWindows = (Object.entries(windows) as [Reach, ValueWindow][]).map(
    ([reach, one]): PackedWindow => [
      reach,
      lists.place(one.stages),
      one.added && span(one.added),
      one.addedLeavesAt,
    ],
  );
  const packedLists = lists.all().map((list) => list.map(stages.place));
  const packedStages = stages
    .all()
    .map((one): PackedStage => [one.leavesAt, figure(one.past), one.rest && span(one.rest)]);
  const buckets = recent.map(bucket);
  const lastBucket = last ? bucket(last) : null;
  const value = figure(baseline.value);
  return JSON.stringify([
    ...[figures.all(), packedStages, packedLists, packedWindows, buckets, lastBucket],
    ...[at, through, baseline.since, value],
  ]);
}

/** The history that was packed, to the last digit. */
export function unpackHistory(text: string): ReadHistory {
  const packed = JSON.parse(text) as Packed;
  const [texts, packedStages, packedLists, packedWindows, buckets, lastBucket] = packed;
  const [, , , , , , at, through, since, value] = packed;
  const figures = texts.map(decimal);
  const figure = (place: Place): Decimal => figures[place] as Decimal;
  const span = ([high, low, drawdown]: PackedSpan): Span => ({
    high: figure(high),
    low: figure(low),
    drawdown: figure(drawdown),
  });
  const bucket = (one: PackedBucket): ValueBucket => {
    const [high, low, drawdown, start, length, last, lastAt] = one;
    return { start, length, last: figure(last), lastAt, ...span([high, low, drawdown]) };
  };
  const stages = packedStages.map(
    ([leavesAt, past, rest]): Stage => ({
      leavesAt: leavesAt ?? Infinity,
      past: figure(past),
      rest: rest && span(rest),
    }),
  );
  const lists = packedLists.map((list) => list.map((place) => stages[place] as Stage));
  const windows: { [Of in Reach]?: ValueWindow } = {};
  for (const [reach, list, added, addedLeavesAt] of packedWindows)
    windows[reach] = {
      stages: lists[list] as readonly Stage[],
      added: added && span(added),
      addedLeavesAt: addedLeavesAt ?? Infinity,
    };
  return {
    ...{ at, through, windows },
    recent: buckets.map(bucket),
    last: lastBucket ? bucket(lastBucket) : undefined,
    baseline: { since: since ?? -Infinity, value: figure(value) },
  };
}
