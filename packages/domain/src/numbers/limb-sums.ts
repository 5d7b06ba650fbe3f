import { type Decimal, ZERO, newDigits, ofDigits } from './decimal.js';
import { DIGITS, FACTOR_LIMBS, LIMB, putLimbs, wholeOf } from './limbs.js';

/** Of a multiplier. */
const MULTIPLIER_LIMBS = 2;
/** A full list grows by that factor: twice as much would be empty for the most part. */
const GROWTH = 1.5;

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

  get length(): number {
    return this.count;
  }

  /** `units`: a factor, see `isFactor`. */
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
    return wholeOf(this.entries, place * ENTRY + 1);
  }

  /**
   * Adds the factors of the places from `from` to before `to`, each times the multiplier, to the sums of their slots. Calls `full`
   * for slots whose limbs must be carried before more is added.
   */
  addTo(
    sums: Float64Array,
    multiplier: number,
    full: (slot: number) => void,
    from: number,
    to: number,
  ): void {
    const { entries } = this;
    const high = Math.trunc(multiplier / LIMB);
    const low = multiplier - high * LIMB;
    for (let entry = from * ENTRY; entry < to * ENTRY; entry += ENTRY) {
      const slot = entries[entry] as number;
      const sum = slot * SUM_SIZE;
      const first = entries[entry + 1] as number;
      const second = entries[entry + 2] as number;
      const third = entries[entry + 3] as number;
      const fourth = entries[entry + 4] as number;
      const added = (sums[sum] as number) + 1;
      const sum0 = (sums[sum + PRODUCT] as number) + first * low;
      const sum1 = (sums[sum + PRODUCT + 1] as number) + (first * high + second * low);
      const sum2 = (sums[sum + PRODUCT + 2] as number) + (second * high + third * low);
      const sum3 = (sums[sum + PRODUCT + 3] as number) + (third * high + fourth * low);
      const sum4 = (sums[sum + PRODUCT + 4] as number) + fourth * high;
      sums[sum] = added;
      sums[sum + PRODUCT] = sum0;
      sums[sum + PRODUCT + 1] = sum1;
      sums[sum + PRODUCT + 2] = sum2;
      sums[sum + PRODUCT + 3] = sum3;
      sums[sum + PRODUCT + 4] = sum4;
      if (added === MOST_ADDED) full(slot);
    }
  }
}

/** The limbs of a sum below those of products: for units that are smaller. */
const LIMBS_BELOW = 2;
const SUM_LIMBS = LIMBS_BELOW + FACTOR_LIMBS + MULTIPLIER_LIMBS - 1;
/** The numbers of a sum: how often something was added since its limbs were carried, then its limbs, the lowest first. */
const SUM_SIZE = 1 + SUM_LIMBS;
const PRODUCT = 1 + LIMBS_BELOW;
/** An addition changes a limb by less than 2 * 10^14. So often a carried one stays below 2^53. */
const MOST_ADDED = 20;
/** The highest limb, which is not carried: a sum that has more there is given up. */
const TOP = SUM_LIMBS;
const TOP_BOUND = 2 ** 51;
const PAIR = BigInt(LIMB) ** 2n;

/** Exact sums of products and of whole numbers, one per slot. A sum that was once above 10^43 units of a product is given up. */
export class LimbSums {
  private limbs = new Float64Array(64 * SUM_SIZE);
  private length = 0;
  /** By slot, the sum as a decimal, if it was asked for since it changed. */
  private readonly decimals: (Decimal | undefined)[] = [];
  /** The place of the lowest limb. */
  private readonly lowest: number;

  /** `places`: those of a product, a factor's and a multiplier's together. */
  constructor(places: number) {
    this.lowest = places + LIMBS_BELOW * DIGITS;
  }

  /** Adds a slot with zero. */
  push(): void {
    this.length += 1;
    this.decimals.push(undefined);
    if (this.length * SUM_SIZE <= this.limbs.length) return;
    const larger = new Float64Array(this.limbs.length * 2);
    larger.set(this.limbs);
    this.limbs = larger;
  }

  /** Adds the factors of the places from `from` to before `to`, each times the multiplier, to their slots. */
  addProducts(factors: LimbFactors, multiplier: number, from = 0, to = factors.length): void {
    factors.addTo(this.limbs, multiplier, this.carry, from, to);
  }

  /** Adds so many units of that place, which is at most 14 below the last one of a product. */
  addUnits(slot: number, units: bigint, place: number): void {
    const { limbs } = this;
    const count = slot * SUM_SIZE;
    let left = units * 10n ** BigInt(this.lowest - place);
    for (let limb = count + 1; limb < count + TOP; limb += 2) {
      const rest = left / PAIR;
      const pair = Number(left - rest * PAIR);
      const high = Math.trunc(pair / LIMB);
      limbs[limb] = (limbs[limb] as number) + (pair - high * LIMB);
      limbs[limb + 1] = (limbs[limb + 1] as number) + high;
      left = rest;
    }
    const added = Number(left);
    limbs[count + TOP] = (limbs[count + TOP] as number) + (isTooLarge(added) ? NaN : added);
    limbs[count] = (limbs[count] as number) + 1;
    this.carry(slot);
  }

  /** The sum; undefined if it was given up. */
  of(slot: number): Decimal | undefined {
    this.carry(slot);
    return (this.decimals[slot] ??= this.decimalOf(slot));
  }

  /** Whether the sum is known, and at or below zero: without a decimal. */
  isAtOrBelowZero(slot: number): boolean {
    this.carry(slot);
    const count = slot * SUM_SIZE;
    const top = this.limbs[count + TOP] as number;
    return (
      top < 0 || (top === 0 && this.limbs.subarray(count, count + TOP).every((limb) => limb === 0))
    );
  }

  /** Makes each limb but the highest a whole number from 0 to below `LIMB`. */
  private readonly carry = (slot: number): void => {
    const count = slot * SUM_SIZE;
    if (this.limbs[count] === 0) return;
    this.limbs[count] = 0;
    this.decimals[slot] = undefined;
    carryIn(this.limbs, count);
  };

  private decimalOf(slot: number): Decimal | undefined {
    const count = slot * SUM_SIZE;
    const top = this.limbs[count + TOP] as number;
    if (Number.isNaN(top)) return undefined;
    if (top >= 0) return decimalIn(this.limbs, count, 1, this.lowest);
    const opposite = this.limbs.slice(count, count + SUM_SIZE).map((limb) => -limb);
    carryIn(opposite, 0);
    return decimalIn(opposite, 0, -1, this.lowest);
  }
}

const isTooLarge = (top: number): boolean => top > TOP_BOUND || top < -TOP_BOUND;

function carryIn(sums: Float64Array, count: number): void {
  let carried = 0;
  for (let limb = count + 1; limb < count + TOP; limb += 1) {
    const whole = (sums[limb] as number) + carried;
    carried = Math.floor(whole / LIMB);
    sums[limb] = whole - carried * LIMB;
  }
  const top = (sums[count + TOP] as number) + carried;
  sums[count + TOP] = isTooLarge(top) ? NaN : top;
}

/** The digits of a sum, the last one at the end: those of the lower limbs, and those of the highest, which is below 2^53. */
const places = new Uint8Array(TOP * DIGITS + 16);

/** The decimal of carried limbs, of which none is below zero; the lowest one ends at that place. */
function decimalIn(sums: Float64Array, count: number, sign: -1 | 1, place: number): Decimal {
  let top = count + TOP;
  while (top > count && sums[top] === 0) top -= 1;
  if (top === count) return ZERO;
  let from = places.length;
  for (let limb = count + 1; limb < top; limb += 1) {
    from -= DIGITS;
    // As a whole number of 32 bits: each division takes a tenth of the time.
    let left = (sums[limb] as number) | 0;
    for (let at = from + DIGITS - 1; at >= from; at -= 1) {
      const rest = (left / 10) | 0;
      places[at] = left - rest * 10;
      left = rest;
    }
  }
  for (let left = sums[top] as number; left > 0;) {
    const rest = Math.floor(left / 10);
    from -= 1;
    places[from] = left - rest * 10;
    left = rest;
  }
  let end = places.length;
  while (places[end - 1] === 0) end -= 1;
  const digits = newDigits(end - from);
  for (let at = 0; at < digits.length; at += 1) digits[at] = places[from + at] as number;
  return ofDigits(sign, places.length - from - 1 - place, digits);
}
