import { partOf, percentOf, product, sum } from './decimal-text.js';

/** What of a position its target is computed of. */
export interface Held {
  readonly amount: string;
  readonly ask: string | null;
  /** Of the instrument, a fraction. */
  readonly fee: string;
  /** The part of the value that it is worth. */
  readonly percent: string | null;
}

/** Twice the slippage that the service reserves without another word, and how often it reserves the fee. */
const RESERVED = { slippage: '0.004', fees: '4' } as const;

/** The part of a target that is bought: the service reserves fee and slippage. */
function bought(fee: string): string | undefined {
  const fees = product(RESERVED.fees, fee);
  const reserved = fees && sum(RESERVED.slippage, fees);
  return reserved && sum('1', `-${reserved}`);
}

/** The amount of a target is cut, so that it falls short of it by the last digit. */
const DIGIT = '0.000000000001';

/**
 * Percent with two decimals at most, cut and not rounded: less than what the service trades is missing. Of less than that the first digit
 * stays, because a target of zero closes.
 */
function cutPercent(fraction: string): string {
  const near = sum(fraction, fraction.startsWith('-') ? `-${DIGIT}` : DIGIT) ?? fraction;
  return sum(percentOf(near).replace(/(^-?0\.00+[1-9]|\.\d\d)\d*$/, '$1'), '0') ?? '';
}

/** The target that would leave the position as it is, as a fraction; its weight while a figure is not known. */
function targetOf({ amount, ask, fee, percent }: Held, value: string | null): string | null {
  const part = bought(fee);
  const worth = ask === null ? undefined : product(amount, ask);
  const whole = part === undefined || value === null ? undefined : product(value, part);
  // Of a value below zero a long position would be a target to sell short.
  const isAbove = whole !== undefined && !whole.startsWith('-');
  return (worth && isAbove ? partOf(whole, worth) : undefined) ?? percent;
}

/** The most that all targets together may be. */
const MOST = '2';

/**
 * The targets in percent that would leave the positions as they are; empty where a figure is not known. What is more than targets may be is
 * shared by all.
 */
export function targetsOf(positions: readonly Held[], value: string | null): string[] {
  const targets = positions.map((one) => targetOf(one, value));
  const gross = targets.reduce<string>(
    (all, one) => sum(all, (one ?? '0').replace('-', '')) ?? all,
    '0',
  );
  const share = sum(MOST, `-${gross}`)?.startsWith('-') ? partOf(gross, MOST) : undefined;
  return targets.map((one) => {
    const shared = one !== null && share !== undefined ? product(one, share) : one;
    return shared === null || shared === undefined ? '' : cutPercent(shared);
  });
}
