import { type Ranks, type Scores, byScore, isContender } from '@slipstream/domain';
import type { Places } from './ranking.js';

/** The number of contestants that are looked at between two pauses. */
export const PIECE = 2000;

/** What contestants are compared by, by their slots. */
export interface Compared {
  /** The slots of the contestants of each pool, the older first. */
  readonly pools: readonly (readonly number[])[];
  readonly scoresOf: (slot: number) => Scores;
  readonly slots: number;
}

/**
 * Contestants in the order of one kind of rank. Binary floats only lead each score near its place: what they cannot tell apart
 * the scores themselves decide.
 */
export class Order {
  /** The slots in the present order, pool by pool. */
  sorted: Uint32Array = new Uint32Array();
  /** The places of the slots, from 1 on in each pool. */
  places: Places = new Uint32Array();

  constructor(private readonly kind: keyof Ranks) {}

  async update(compared: Compared, breathe: () => Promise<void>): Promise<void> {
    const sorted = new Uint32Array(compared.slots);
    const places = new Uint32Array(compared.slots);
    let count = 0;
    for (const pool of compared.pools) {
      const inOrder = await this.inOrder(pool, compared, breathe);
      sorted.set(inOrder, count);
      count += inOrder.length;
      for (const [index, slot] of inOrder.entries()) places[slot] = index + 1;
      await breathe();
    }
    this.sorted = sorted.slice(0, count);
    this.places = places;
  }

  /** Takes the order of another timeframe, over which all scores are the same. */
  become({ sorted, places }: Order): void {
    this.sorted = sorted;
    this.places = places;
  }

  /** The contenders of one pool. */
  private async inOrder(
    pool: readonly number[],
    { scoresOf }: Compared,
    breathe: () => Promise<void>,
  ): Promise<Uint32Array> {
    const [slots, keys] = [new Uint32Array(pool.length), new Float64Array(pool.length)];
    let [count, looked] = [0, 0];
    for (const slot of pool) {
      const scores = scoresOf(slot);
      if (isContender(this.kind, scores)) {
        slots[count] = slot;
        keys[count] = -Number(scores[this.kind]);
        count += 1;
      }
      if ((looked += 1) % PIECE === 0) await breathe();
    }
    const sortedKeys = keys.slice(0, count).sort();
    await breathe();
    // Those of one key follow each other by age, as they come.
    const inOrder = new Uint32Array(count);
    const taken = new Uint32Array(count);
    for (let index = 0; index < count; index += 1) {
      const first = firstOf(sortedKeys, keys[index] as number);
      inOrder[first + (taken[first] as number)] = slots[index] as number;
      taken[first] = (taken[first] as number) + 1;
      if (index % PIECE === 0) await breathe();
    }
    await this.breakTies(inOrder, sortedKeys, { scoresOf, breathe });
    return inOrder;
  }

  /** Puts scores in order that are one number as binary floats. */
  private async breakTies(
    inOrder: Uint32Array,
    keys: Float64Array,
    { scoresOf, breathe }: Pick<Compared, 'scoresOf'> & { readonly breathe: () => Promise<void> },
  ): Promise<void> {
    const at = (index: number): Scores => scoresOf(inOrder[index] as number);
    const compare = byScore(this.kind);
    for (let from = 0, to = 1; from < keys.length; from = to, to += 1) {
      let areEqual = true;
      for (; to < keys.length && keys[to] === keys[from]; to += 1) {
        areEqual &&= compare(at(from), at(to)) === 0;
        if (to % PIECE === 0) await breathe();
      }
      if (areEqual) continue;
      inOrder.subarray(from, to).sort((one, other) => compare(scoresOf(one), scoresOf(other)));
    }
  }
}

/** The index of the first of those keys, which are in order. */
function firstOf(keys: Float64Array, key: number): number {
  let [low, high] = [0, keys.length - 1];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((keys[middle] as number) < key) low = middle + 1;
    else high = middle;
  }
  return low;
}
