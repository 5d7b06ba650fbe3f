import { type Decimal, ONE, PLACES, ZERO, decimal, divide, inUnits } from '../numbers/decimal.js';
import type { StrategyId, Timestamp } from '../ids.js';
import { percentChange } from '../numbers/units.js';
import { HOUR } from '../time.js';

const WEEK = 7 * 24 * HOUR;
/** Prevents an infinite score of a strategy without any drawdown (contract 3, "Ranks"). */
const DRAWDOWN_FLOOR = decimal('0.01');

/** The figures by which one public strategy is ranked, in one timeframe. */
export interface Standing {
  readonly strategyId: StrategyId;
  /** When its segment started. */
  readonly since: Timestamp;
  /** strategy_value at the timeframe's start and now; null while unavailable. */
  readonly pastValue: Decimal | null;
  readonly value: Decimal | null;
  /** A positive fraction. */
  readonly maxDrawdown: Decimal;
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

/** The return in the timeframe as a fraction; null if a value is missing or the past value was not positive. */
const performanceOf = ({ pastValue, value }: Standing): Decimal | null =>
  pastValue?.gt(ZERO) ? percentChange(pastValue, value) : null;

/** The return in relation to the deepest fall; a loss weighs more after a deeper fall. */
function topOf(standing: Standing, now: Timestamp): Decimal | null {
  if (!standing.traded || now - standing.since < WEEK) return null;
  const gain = performanceOf(standing);
  if (!gain) return null;
  return gain.gte(ZERO)
    ? divide(gain, standing.maxDrawdown.plus(DRAWDOWN_FLOOR))
    : gain.times(ONE.plus(standing.maxDrawdown));
}

/** The sort keys of a strategy in one timeframe; null without a rank. Fractions are in units of their last place. */
export interface Scores {
  readonly performance: bigint | null;
  readonly popular: number;
  readonly trending: number;
  readonly top: bigint | null;
}

/** A loss times a drawdown has twice the places of each. */
const SCORE_PLACES = 2 * PLACES;

/** Whole numbers compare in a tenth of the time of decimals. */
const keyOf = (score: Decimal | null): bigint | null =>
  score &&
  (inUnits(score, SCORE_PLACES) ?? (inUnits(score.round(SCORE_PLACES), SCORE_PLACES) as bigint));

/** The scores at `now` by which strategies are ranked; null if a value is missing. */
export const scoresOf = (standing: Standing, now: Timestamp): Scores => ({
  performance: keyOf(performanceOf(standing)),
  popular: standing.subscribers,
  trending: standing.gained,
  top: keyOf(topOf(standing, now)),
});

/** When age alone changes next whether a strategy is ranked and has a rank_top. */
export const agesAt = (since: Timestamp, now: Timestamp): Timestamp =>
  [HOUR, WEEK].map((age) => since + age).find((at) => at > now) ?? Infinity;

/** A strategy with its scores. */
export interface Scored {
  readonly strategyId: StrategyId;
  readonly createdAt: Timestamp;
  readonly scores: Scores;
}

/** The older first. */
export const byAge = (first: Scored, second: Scored): number =>
  first.createdAt - second.createdAt || (first.strategyId < second.strategyId ? -1 : 1);

/** Scores of one kind are either all counts or all fractions. */
const descending = (first: bigint | number, second: bigint | number): number =>
  first === second ? 0 : first > second ? -1 : 1;

/** Whether it is ranked in that list. */
export const isContender = (kind: keyof Ranks, { scores }: Scored): boolean =>
  scores[kind] !== null;

/** The order of contenders of a list: the largest score first; among equal scores the older strategy. */
export const byPlace =
  (kind: keyof Ranks) =>
  (first: Scored, second: Scored): number =>
    descending(first.scores[kind] ?? 0, second.scores[kind] ?? 0) || byAge(first, second);
