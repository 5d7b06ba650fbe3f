/**
 * Big integers allocate at every step. Here whole numbers are cut into limbs of 24 bits: a product of two limbs is a whole number
 * that a double holds exactly (up to 2^53), and so is a sum of many. A limb has its number's sign.
 */
export const BITS = 24n;
export const LIMB = 2 ** 24;
/** What two limbs hold. */
const PAIR = 1n << (2n * BITS);
const PAIR_SIZE = LIMB ** 2;
/** The limbs of a factor. */
export const FACTOR_LIMBS = 3;
const FACTOR_BOUND = 1n << (BITS * BigInt(FACTOR_LIMBS));

/** Whether the number has at most the limbs of a factor. */
export const isFactor = (units: bigint): boolean => units < FACTOR_BOUND && -units < FACTOR_BOUND;

/** Writes the limbs of a factor, the lowest first. */
export function putLimbs(units: bigint, limbs: Int32Array, at: number): void {
  // Two limbs fit into a double, so that few big integers are made; dividing towards zero keeps the sign in each limb.
  const whole = Number(units);
  const isSafe = Number.isSafeInteger(whole);
  const high = isSafe ? Math.trunc(whole / PAIR_SIZE) : Number(units / PAIR);
  const low = isSafe ? whole - high * PAIR_SIZE : Number(units % PAIR);
  const carry = Math.trunc(low / LIMB);
  limbs[at] = low - carry * LIMB;
  limbs[at + 1] = carry;
  limbs[at + 2] = high;
}

const ZERO_DIGIT = '0'.charCodeAt(0);
const MINUS = '-'.charCodeAt(0);
/** Digits are added to limbs in groups of six: a limb times this is far below 2^53. */
const GROUP = 1_000_000;

/**
 * The same for a text, in units of the last of `places` decimal places, without a big integer. False, and nothing is written, when
 * it is no decimal in plain notation, has more places, or is too large for a factor.
 */
export function putLimbsOfText(
  text: string,
  places: number,
  limbs: Int32Array,
  at: number,
): boolean {
  const { length } = text;
  const isNegative = text.charCodeAt(0) === MINUS;
  const from = isNegative ? 1 : 0;
  const point = text.indexOf('.');
  const missing = point < 0 ? places : places - (length - point - 1);
  if (missing < 0 || point === length - 1 || from === length) return false;
  const end = length + missing;
  let [low, middle, high, digits, power] = [0, 0, 0, 0, 1];
  for (let index = from; index < end; index += 1) {
    if (index === point) continue;
    const digit = index < length ? text.charCodeAt(index) - ZERO_DIGIT : 0;
    if (digit < 0 || digit > 9) return false;
    digits = digits * 10 + digit;
    power *= 10;
    if (power < GROUP && index < end - 1) continue;
    const first = low * power + digits;
    const carry = Math.floor(first / LIMB);
    const second = middle * power + carry;
    const carry2 = Math.floor(second / LIMB);
    low = first - carry * LIMB;
    middle = second - carry2 * LIMB;
    high = high * power + carry2;
    if (high >= LIMB) return false;
    [digits, power] = [0, 1];
  }
  const sign = isNegative ? -1 : 1;
  limbs[at] = sign * low;
  limbs[at + 1] = sign * middle;
  limbs[at + 2] = sign * high;
  return true;
}

/** The number of the limbs in `[from, to)`, the lowest first. */
export function wholeOf(limbs: Int32Array, from: number, to: number): bigint {
  let whole = 0n;
  for (let at = to - 1; at >= from; at -= 1) {
    const limb = limbs[at] as number;
    if (whole !== 0n) whole <<= BITS;
    if (limb !== 0) whole += BigInt(limb);
  }
  return whole;
}
