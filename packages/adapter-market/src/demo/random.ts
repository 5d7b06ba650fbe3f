/** Random numbers, the same for the same seed. */
export interface SeededRandom {
  /** From 0, inclusive, to 1, exclusive. */
  uniform(): number;
  /** From the standard normal distribution. */
  normal(): number;
}

/** A 32-bit hash of `text` (FNV-1a). */
export function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index += 1)
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  return hash >>> 0;
}

/** Mixes a 32-bit number so that close inputs give distant outputs (Murmur3's finish). */
function mixed(value: number): number {
  let bits = Math.imul(value ^ (value >>> 16), 0x85ebca6b);
  bits = Math.imul(bits ^ (bits >>> 13), 0xc2b2ae35);
  return (bits ^ (bits >>> 16)) >>> 0;
}

/** A generator for simulations, not for secrets. */
export function seededRandom(seed: string): SeededRandom {
  // Two counters with odd, unequal steps: together they repeat only after 2^64 numbers.
  let first = hashOf(seed);
  let second = mixed(hashOf(`${seed}|`));
  const uniform = (): number => {
    first = (first + 0x9e3779b9) >>> 0;
    if (first < 0x9e3779b9) second = (second + 0x6d2b79f5) >>> 0;
    return mixed(first ^ mixed(second)) / 2 ** 32;
  };
  return {
    uniform,
    normal: () => Math.sqrt(-2 * Math.log(1 - uniform())) * Math.cos(2 * Math.PI * uniform()),
  };
}
