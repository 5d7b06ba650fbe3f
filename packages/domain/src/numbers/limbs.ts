/**
 * Big integers allocate at every step. Here whole numbers are cut into limbs of seven decimal digits: a product of two limbs is a
 * whole number that a double holds exactly (up to 2^53), and so is a sum of many. A limb has its number's sign.
 */
export const DIGITS = 7;
export const LIMB = 10 ** DIGITS;
/** What two limbs hold. */
const PAIR = BigInt(LIMB) ** 2n;
/** The limbs of a factor. */
export const FACTOR_LIMBS = 4;
const FACTOR_DIGITS = FACTOR_LIMBS * DIGITS;
const FACTOR_BOUND = 10n ** BigInt(FACTOR_DIGITS);

/** Whether the number has at most the limbs of a factor. */
export const isFactor = (units: bigint): boolean => units < FACTOR_BOUND && -units < FACTOR_BOUND;

/** Writes the limbs of a factor, the lowest first. */
export function putLimbs(units: bigint, limbs: Int32Array, at: number): void {
  // Two limbs fit into a double, so that few big integers are made; dividing towards zero keeps the sign in each limb.
  const high = units / PAIR;
  putPair(Number(units - high * PAIR), limbs, at);
  putPair(Number(high), limbs, at + 2);
}

function putPair(pair: number, limbs: Int32Array, at: number): void {
  const high = Math.trunc(pair / LIMB);
  limbs[at] = pair - high * LIMB;
  limbs[at + 1] = high;
}

const ZERO_DIGIT = '0'.charCodeAt(0);
const MINUS = '-'.charCodeAt(0);
/** By place within a limb, what a digit counts there. */
const POWERS = Array.from({ length: DIGITS }, (_, place) => 10 ** place);

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
  let [first, second, third, fourth] = [0, 0, 0, 0];
  // Digits are counted from the last, and what is missing of the places are zeros.
  let left = length - from - (point < 0 ? 0 : 1) + missing;
  for (let index = from; index < length; index += 1) {
    if (index === point) continue;
    const digit = text.charCodeAt(index) - ZERO_DIGIT;
    if (digit < 0 || digit > 9) return false;
    left -= 1;
    if (digit === 0) continue;
    if (left >= FACTOR_DIGITS) return false;
    const part = digit * (POWERS[left % DIGITS] as number);
    if (left < DIGITS) first += part;
    else if (left < 2 * DIGITS) second += part;
    else if (left < 3 * DIGITS) third += part;
    else fourth += part;
  }
  const sign = isNegative ? -1 : 1;
  limbs[at] = sign * first;
  limbs[at + 1] = sign * second;
  limbs[at + 2] = sign * third;
  limbs[at + 3] = sign * fourth;
  return true;
}

/** The number of the limbs of a factor, the lowest first. */
export function wholeOf(limbs: Int32Array, at: number): bigint {
  const low = (limbs[at] as number) + (limbs[at + 1] as number) * LIMB;
  const high = (limbs[at + 2] as number) + (limbs[at + 3] as number) * LIMB;
  return high === 0 ? BigInt(low) : BigInt(high) * PAIR + BigInt(low);
}
