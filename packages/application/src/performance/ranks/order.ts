import type { Pooled } from './contestants.js';
import type { Places } from './ranking.js';
import { mergeInTurns, sortInTurns } from '../sort-in-turns.js';

/** The number of contestants that are looked at between two pauses. */
const PIECE = 2000;

/** Which contestants a list has, and in which order. */
export interface OrderRule {
  readonly isIn: (one: Pooled) => boolean;
  /** Whether a contestant keeps its place among those that do not change. */
  readonly isSame: (before: Pooled, after: Pooled) => boolean;
  readonly compare: (first: Pooled, second: Pooled) => number;
}

/** Contestants in the order of one rule. From computation to computation only those that changed are sorted. */
export class Order {
  /** The present order; a new list after each change. */
  sorted: readonly Pooled[] = [];
  /** The places of `sorted`, from 1 on in each pool. */
  places: Places = new Uint32Array();

  constructor(private readonly rule: OrderRule) {}

  /** Takes the contestants of now, by their slots. */
  async update(
    present: readonly (Pooled | undefined)[],
    breathe: () => Promise<void>,
  ): Promise<void> {
    const { isIn, isSame, compare } = this.rule;
    const seen = new Uint8Array(present.length);
    const [kept, moved]: [Pooled[], Pooled[]] = [[], []];
    let looked = 0;
    for (const before of this.sorted) {
      const after = present[before.slot];
      seen[before.slot] = 1;
      if (after && isIn(after)) (isSame(before, after) ? kept : moved).push(after);
      if ((looked += 1) % PIECE === 0) await breathe();
    }
    for (const [slot, one] of present.entries()) {
      if (one && seen[slot] === 0 && isIn(one)) moved.push(one);
      if ((looked += 1) % PIECE === 0) await breathe();
    }
    const sorted = await sortInTurns(moved, compare, breathe);
    this.sorted = await mergeInTurns(kept, sorted, compare, breathe);
    this.places = placesOf(this.sorted, present.length);
    await breathe();
  }
}

/** Pools follow each other. */
function placesOf(sorted: readonly Pooled[], slots: number): Places {
  const places = new Uint32Array(slots);
  let [pool, place]: [Pooled['pool'] | undefined, number] = [undefined, 0];
  for (const one of sorted) {
    place = one.pool === pool ? place + 1 : 1;
    ({ pool } = one);
    places[one.slot] = place;
  }
  return places;
}
