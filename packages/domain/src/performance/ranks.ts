import { PLACES, fraction } from '../numbers/decimal.js';
import type { StrategyId, Timestamp } from '../ids.js';
import { HOUR } from '../time.js';

const WEEK = 7 * 24 * HOUR;
/** Fractions are in units of their 18th place. Prevents an infinite score of a strategy without any drawdown (contract 3, "Ranks"). */
const ONE = 10n ** BigInt(PLACES);
const DRAWDOWN_FLOOR = ONE / 100n;

/** The figures by which one public strategy is ranked, in one timeframe. */
export interface Standing {
  /** When its segment started. */
  readonly since: Timestamp;
  /** See `gainOf`. */
  readonly gain: bigint | null;
  /** A positive fraction, in units of the 18th place. */
  readonly drawdown: bigint;
  readonly subscribers: number;
  /** Subscribers gained in the timeframe, less those lost. */
  readonly gained: number;
  /** Whether there was a trade in the timeframe. */
  readonly traded: boolean;
}

/** The ranks of a strategy, 1 is best; null without a rank. */
export interface Ranks {
  readonly performance: number | null;
  readonly popular: number | null;
  readonly trending: number | null;
  readonly top: number | null;
}

/** The lists in which strategies are ranked (spec 2.4). */
export const RANK_KINDS = ['performance', 'popular', 'trending', 'top'] as const;

/** The ranks of a strategy that is not ranked. */
export const NO_RANKS: Ranks = { performance: null, popular: null, trending: null, top: null };

/** Only strategies whose segment is at least an hour old are ranked. */
export const isRanked = (since: Timestamp, now: Timestamp): boolean => now - since >= HOUR;

/**
 * The return as a fraction, in units of the 18th place; null if the value is missing or the past value was not positive. Both
 * values are in the same units.
 */
export const gainOf = (past: bigint, value: bigint | null): bigint | null =>
  value !== null && past > 0n ? fraction(value - past, past) : null;

/** The return in relation to the deepest fall; a loss weighs more after a deeper fall. In units of twice the places. */
function topOf({ gain, drawdown, traded, since }: Standing, now: Timestamp): bigint | null {
  if (gain === null || !traded || now - since < WEEK) return null;
  return gain >= 0n ? fraction(gain, drawdown + DRAWDOWN_FLOOR) * ONE : gain * (ONE + drawdown);
}

/** The sort keys of a strategy in one timeframe; null without a rank. Those of one kind compare with each other alone. */
export interface Scores {
  readonly performance: bigint | null;
  readonly popular: number;
  readonly trending: number;
  readonly top: bigint | null;
}

/** The scores at `now` by which strategies are ranked; null if a value is missing. */
export const scoresOf = (standing: Standing, now: Timestamp): Scores => ({
  performance: standing.gain,
  popular: standing.subscribers,
  trending: standing.gained,
  top: topOf(standing, now),
});

/** When age alone changes next whether a strategy is ranked and has a rank_top. */
export const agesAt = (since: Timestamp, now: Timestamp): Timestamp =>
  [HOUR, WEEK].map((age) => since + age).find((at) => at > now) ?? Infinity;

/** A strategy as the order by age sees it. */
export interface Aged {
  readonly strategyId: StrategyId;
  readonly createdAt: Timestamp;
}

/** The older first: the order among equal scores. */
export const byAge = (first: Aged, second: Aged): number =>
  first.createdAt - second.createdAt || (first.strategyId < second.strategyId ? -1 : 1);

/** Whether it is ranked in that list. */
export const isContender = (kind: keyof Ranks, scores: Scores): boolean => scores[kind] !== null;

/** The order of contenders of a list: the largest score first; zero for equal scores, of which the older strategy is first. */
export const byScore =
  (kind: keyof Ranks) =>
  (first: Scores, second: Scores): number => {
    // Scores of one kind are either all counts or all fractions.
    const [one, other] = [first[kind] ?? 0, second[kind] ?? 0];
    return one === other ? 0 : one > other ? -1 : 1;
  };
