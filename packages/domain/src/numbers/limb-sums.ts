/**
 * Big integers allocate at every step. Here factors are cut into limbs of 24 bits: a product of two limbs is a whole number that
 * a double holds exactly (up to 2^53), and so is a sum of many. A limb has its number's sign.
 */
const BITS = 24n;
const LIMB = 2 ** 24;
/** What two limbs hold. */
const PAIR = 1n << (2n * BITS);
const PAIR_SIZE = LIMB ** 2;
/** Of a factor, and of a multiplier. */
const [FACTOR_LIMBS, MULTIPLIER_LIMBS] = [3, 2];
const FACTOR_BOUND = 1n << (BITS * BigInt(FACTOR_LIMBS));
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

/** A list of factors, in limbs. */
export class LimbFactors {
  private limbs = new Float64Array(4 * FACTOR_LIMBS);
  private length = 0;

  /** Whether a factor of that size can be in the list. */
  static fits(units: bigint): boolean {
    return units < FACTOR_BOUND && -units < FACTOR_BOUND;
  }

  insert(place: number, units: bigint): void {
    const [from, to] = [place * FACTOR_LIMBS, this.length * FACTOR_LIMBS];
    if (to === this.limbs.length) {
      const larger = new Float64Array(to * 2);
      larger.set(this.limbs);
      this.limbs = larger;
    }
    if (from < to) this.limbs.copyWithin(from + FACTOR_LIMBS, from, to);
    // Two limbs fit into a double, so that few big integers are made; dividing towards zero keeps the sign in each limb.
    const whole = Number(units);
    const isSafe = Number.isSafeInteger(whole);
    const high = isSafe ? Math.trunc(whole / PAIR_SIZE) : Number(units / PAIR);
    const low = isSafe ? whole - high * PAIR_SIZE : Number(units % PAIR);
    const carry = Math.trunc(low / LIMB);
    this.limbs[from] = low - carry * LIMB;
    this.limbs[from + 1] = carry;
    this.limbs[from + 2] = high;
    this.length += 1;
  }

  remove(place: number): void {
    const from = place * FACTOR_LIMBS;
    this.limbs.copyWithin(from, from + FACTOR_LIMBS, this.length * FACTOR_LIMBS);
    this.length -= 1;
  }

  get(place: number): bigint {
    return wholeOf(this.limbs, place * FACTOR_LIMBS, (place + 1) * FACTOR_LIMBS);
  }

  /** Adds each factor times the multiplier to the sum of its slot. Calls `full` for slots whose sum must be taken first. */
  addTo(
    sums: Float64Array,
    slots: readonly number[],
    multiplier: number,
    full: (slot: number) => void,
  ): void {
    const { limbs, length } = this;
    const high = Math.trunc(multiplier / LIMB);
    const low = multiplier - high * LIMB;
    for (let at = 0; at < length; at += 1) {
      const slot = slots[at] as number;
      const factor = at * FACTOR_LIMBS;
      const sum = slot * SUM_LIMBS;
      const first = limbs[factor] as number;
      const second = limbs[factor + 1] as number;
      const third = limbs[factor + 2] as number;
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

  add(
    factors: LimbFactors,
    slots: readonly number[],
    multiplier: number,
    full: (slot: number) => void,
  ): void {
    factors.addTo(this.limbs, slots, multiplier, full);
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

/** The number of the limbs in `[from, to)`, the lowest first. */
function wholeOf(limbs: Float64Array, from: number, to: number): bigint {
  let whole = 0n;
  for (let at = to - 1; at >= from; at -= 1) {
    const limb = limbs[at] as number;
    if (whole !== 0n) whole <<= BITS;
    if (limb !== 0) whole += BigInt(limb);
  }
  return whole;
}
