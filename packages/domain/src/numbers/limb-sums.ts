import { BITS, FACTOR_LIMBS, LIMB, isFactor, putLimbs, wholeOf } from './limbs.js';

/** Of a multiplier. */
const MULTIPLIER_LIMBS = 2;
/** A full list grows by that factor: twice as much would be empty for the most part. */
const GROWTH = 1.5;
const SUM_LIMBS = FACTOR_LIMBS + MULTIPLIER_LIMBS - 1;
/** The bound of a limb of a sum: two more products, each below 2^49, keep it below 2^53. */
const FULL = 2 ** 52;
/** The bound of the highest limb of a sum that fits into a double together with the one below. */
const TOP = 2 ** 28;

/** The big integer as a multiplier; undefined if it is too large for one. */
export function multiplierOf(units: bigint): number | undefined {
  const multiplier = Number(units);
  return Math.abs(multiplier) < LIMB ** MULTIPLIER_LIMBS ? multiplier : undefined;
}

/** The numbers of an entry of `LimbFactors`: its slot, then its limbs. */
export const ENTRY = 1 + FACTOR_LIMBS;

/** A list of factors in limbs, each with its slot. A limb with its sign fits into 32 bits, which take half the memory of a double. */
export class LimbFactors {
  private entries = new Int32Array(4 * ENTRY);
  private count = 0;

  /** Whether a factor of that size can be in the list. */
  static fits(units: bigint): boolean {
    return isFactor(units);
  }

  get length(): number {
    return this.count;
  }

  insert(place: number, slot: number, units: bigint): void {
    const [from, to] = [place * ENTRY, this.count * ENTRY];
    if (to === this.entries.length) this.enlarge(Math.ceil(this.count * GROWTH));
    if (from < to) this.entries.copyWithin(from + ENTRY, from, to);
    this.entries[from] = slot;
    putLimbs(units, this.entries, from + 1);
    this.count += 1;
  }

  /** Makes room for so many more at the end, and no more. Each must be `put`. */
  extend(count: number): void {
    this.count += count;
    if (this.count * ENTRY > this.entries.length) this.enlarge(this.count);
  }

  /** Sets the entry to the one that stands in `entries` at that index. */
  put(place: number, entries: Int32Array, at: number): void {
    const from = place * ENTRY;
    for (let index = 0; index < ENTRY; index += 1)
      this.entries[from + index] = entries[at + index] as number;
  }

  remove(place: number): void {
    const from = place * ENTRY;
    this.entries.copyWithin(from, from + ENTRY, this.count * ENTRY);
    this.count -= 1;
  }

  private enlarge(count: number): void {
    const larger = new Int32Array(count * ENTRY);
    larger.set(this.entries);
    this.entries = larger;
  }

  slot(place: number): number {
    return this.entries[place * ENTRY] as number;
  }

  get(place: number): bigint {
    return wholeOf(this.entries, place * ENTRY + 1, (place + 1) * ENTRY);
  }

  /** Adds each factor times the multiplier to the sum of its slot. Calls `full` for slots whose sum must be taken first. */
  addTo(sums: Float64Array, multiplier: number, full: (slot: number) => void): void {
    const { entries } = this;
    const end = this.count * ENTRY;
    const high = Math.trunc(multiplier / LIMB);
    const low = multiplier - high * LIMB;
    for (let entry = 0; entry < end; entry += ENTRY) {
      const slot = entries[entry] as number;
      const sum = slot * SUM_LIMBS;
      const first = entries[entry + 1] as number;
      const second = entries[entry + 2] as number;
      const third = entries[entry + 3] as number;
      const sum0 = (sums[sum] as number) + first * low;
      const sum1 = (sums[sum + 1] as number) + (first * high + second * low);
      const sum2 = (sums[sum + 2] as number) + (second * high + third * low);
      const sum3 = (sums[sum + 3] as number) + third * high;
      sums[sum] = sum0;
      sums[sum + 1] = sum1;
      sums[sum + 2] = sum2;
      sums[sum + 3] = sum3;
      if (isFull(sum0) || isFull(sum1) || isFull(sum2) || isFull(sum3)) full(slot);
    }
  }
}

const isFull = (limb: number): boolean => limb > FULL || limb < -FULL;

/** Sums of factors times multipliers, one per slot. */
export class LimbSums {
  private limbs = new Float64Array(64 * SUM_LIMBS);
  private length = 0;

  /** Adds a slot with zero. */
  push(): void {
    this.length += 1;
    if (this.length * SUM_LIMBS <= this.limbs.length) return;
    const larger = new Float64Array(this.limbs.length * 2);
    larger.set(this.limbs);
    this.limbs = larger;
  }

  add(factors: LimbFactors, multiplier: number, full: (slot: number) => void): void {
    factors.addTo(this.limbs, multiplier, full);
  }

  /** Returns the sum and sets it to zero. */
  take(slot: number): bigint {
    const { limbs } = this;
    const from = slot * SUM_LIMBS;
    const [first, second] = [limbs[from] as number, limbs[from + 1] as number];
    const [third, fourth] = [limbs[from + 2] as number, limbs[from + 3] as number];
    limbs.fill(0, from, from + SUM_LIMBS);
    // What is above 24 bits goes to the next limb; then two limbs fit into a double, so that few big integers are made.
    const carry = Math.trunc(first / LIMB);
    const carried = second + carry;
    const carry2 = Math.trunc(carried / LIMB);
    const carried2 = third + carry2;
    const carry3 = Math.trunc(carried2 / LIMB);
    const top = fourth + carry3;
    const low = first - carry * LIMB + (carried - carry2 * LIMB) * LIMB;
    const high = carried2 - carry3 * LIMB;
    if (top > TOP || top < -TOP)
      return (((BigInt(top) << BITS) + BigInt(high)) << (2n * BITS)) + BigInt(low);
    const upper = high + top * LIMB;
    return upper === 0 ? BigInt(low) : (BigInt(upper) << (2n * BITS)) + BigInt(low);
  }
}
