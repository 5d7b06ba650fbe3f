import type { Timestamp } from '@slipstream/domain';
import TinyQueue from 'tinyqueue';
import type { Bar, Dropped } from '../data/bar.js';

/** The bars of one period. */
export interface BarGroup {
  readonly startsAt: Timestamp;
  readonly endsAt: Timestamp;
  readonly bars: readonly Bar[];
}

/** What happens to a group, in this order; at `closed` its bars are known. */
const PHASES = ['open', 'first', 'second', 'close', 'closed'] as const;
export type Phase = (typeof PHASES)[number];

export interface Moment {
  readonly at: Timestamp;
  readonly phase: Phase;
  readonly group: BarGroup;
}

/**
 * When a phase happens. The open comes a millisecond after the start, so that what is placed at a bar's end meets the next
 * open; the close a millisecond before the end, inside the session.
 */
function momentOf(phase: Phase, { startsAt, endsAt }: Omit<BarGroup, 'bars'>): Timestamp {
  const third = Math.floor((endsAt - startsAt) / 3);
  switch (phase) {
    case 'open':
      return startsAt + 1;
    case 'first':
      return startsAt + third;
    case 'second':
      return startsAt + 2 * third;
    case 'close':
      return endsAt - 1;
    case 'closed':
      return endsAt;
  }
}

const difference = (one: number, other: number): string =>
  one === other ? '' : `, with another close (${other})`;

/** Leaves out bars that overlap an earlier one of the same symbol, which another line or file has given. */
export function* distinct(
  bars: Iterable<Bar>,
  fileOf: (file: number) => string,
  drop: (dropped: Dropped) => void,
): Generator<Bar> {
  const last = new Map<number, Bar>();
  for (const bar of bars) {
    const before = last.get(bar.symbol);
    if (before && bar.startsAt < before.endsAt) {
      const differs = difference(bar.prices.close, before.prices.close);
      const reason = `its time is in ${fileOf(before.file)}:${before.line} too${differs}`;
      drop({ file: fileOf(bar.file), line: bar.line, reason });
      continue;
    }
    last.set(bar.symbol, bar);
    yield bar;
  }
}

/** Neighbours in time that share a period, by their symbols' names: the order of the rows in the files must not matter. */
export function* groups(bars: Iterable<Bar>, symbols: readonly string[]): Generator<BarGroup> {
  const ranks: number[] = [];
  for (const [rank, name] of symbols.toSorted().entries()) ranks[symbols.indexOf(name)] = rank;
  const rankOf = ({ symbol }: Bar): number => ranks[symbol] ?? symbol;
  let some: Bar[] = [];
  const group = (): BarGroup[] => {
    some.sort((one, other) => rankOf(one) - rankOf(other));
    const [first] = some;
    return first ? [{ startsAt: first.startsAt, endsAt: first.endsAt, bars: some }] : [];
  };
  for (const bar of bars) {
    const first = some[0];
    if (first && (first.startsAt !== bar.startsAt || first.endsAt !== bar.endsAt)) {
      yield* group();
      some = [];
    }
    some.push(bar);
  }
  yield* group();
}

const rank = ({ at, phase }: Moment): number => at * PHASES.length + PHASES.indexOf(phase);

/** The moments of all groups in order of time. */
export function* moments(all: Iterable<BarGroup>): Generator<Moment> {
  const queue = new TinyQueue<Moment>(
    [],
    (one, other) => rank(one) - rank(other) || one.group.endsAt - other.group.endsAt,
  );
  for (const group of all) {
    for (let next = queue.peek(); next && next.at <= group.startsAt; next = queue.peek()) {
      yield next;
      queue.pop();
    }
    for (const phase of PHASES) queue.push({ at: momentOf(phase, group), phase, group });
  }
  for (let next = queue.pop(); next; next = queue.pop()) yield next;
}
