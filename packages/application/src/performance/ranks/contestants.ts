import {
  type Baseline,
  type Basis,
  type Decimal,
  type ListedFigures,
  type Listing,
  type Membership,
  type Performance,
  type Scored,
  type Strategy,
  RANK_KINDS,
  type Scores,
  TIMEFRAMES,
  TIMEFRAME_LENGTHS,
  type Timestamp,
  agesAt,
  baselineOf,
  gainedSince,
  isRanked,
  kindNow,
  listedFigures,
  listingOf,
  nextGain,
  overEach,
  poolOf,
  scoresOf,
} from '@slipstream/domain';
import type { ReadStores } from '@slipstream/ports';
import type { PerformanceOver } from '../known-history.js';

/** A strategy with its scores, and the pool in which it ranks. */
export interface Pooled extends Scored {
  readonly pool: Basis;
  /** Its index among all contestants. */
  readonly slot: number;
}

/** What the ranks know of a public strategy from its record. */
interface Facts {
  readonly slot: number;
  /** Without figures. */
  readonly listing: Listing;
  /** Undefined while a segment has no first value: then it has no scores. */
  readonly baseline: Baseline | undefined;
  readonly pool: Basis;
  readonly tradedAt: Timestamp | undefined;
  /** In the order of the timeframes. */
  readonly gained: readonly number[];
  /** When time alone changes `gained`. */
  readonly gainedUntil: Timestamp;
}

/** A public strategy with the figures that searches and ranks compare, and what they rest on. */
export interface Contestant extends Facts {
  readonly value: Decimal | null;
  /** The scores in the order of the timeframes; none while it is not ranked. */
  readonly scored: readonly Pooled[];
  /** When time alone may change the scores. */
  readonly until: Timestamp;
}

interface Given {
  readonly slot: number;
  readonly now: Timestamp;
  readonly pushTrusted: boolean;
  /** Of the strategy. */
  readonly memberships: readonly Membership[];
}

/** What the ranks need of a strategy beside its value history. */
export async function factsOf(
  { trades }: Pick<ReadStores, 'trades'>,
  strategy: Strategy,
  { slot, now, pushTrusted, memberships }: Given,
): Promise<Facts> {
  const [last] = await trades.list(strategy.id, { limit: 1 });
  const followers = memberships.filter(({ until }) => until === null).length;
  const listing = listingOf(strategy, { figures: {}, followers });
  // Only a later segment can start after a strategy's first subscribers.
  const since = strategy.segments.length > 1 ? (listing.since ?? now) : -Infinity;
  const spans = TIMEFRAMES.map((timeframe) => {
    const length = TIMEFRAME_LENGTHS[timeframe];
    return { length, from: Math.max(now - length, since) };
  });
  return {
    slot,
    listing,
    baseline: baselineOf(strategy),
    pool: poolOf(kindNow(strategy), pushTrusted),
    tradedAt: last?.createdAt,
    gained: spans.map(({ from }) => gainedSince(memberships, from)),
    gainedUntil: Math.min(...spans.map(({ from, length }) => nextGain(memberships, from) + length)),
  };
}

/** One whose segment has no value yet is found, but has neither figures nor ranks. */
export const withoutFigures = (facts: Facts): Contestant => ({
  ...facts,
  ...{ value: null, scored: [], until: Infinity },
});

/** The present figures. `heldUntil`: when time alone changes the performance. */
export interface Present {
  readonly now: Timestamp;
  readonly value: Decimal | null;
  readonly performance: PerformanceOver;
  readonly heldUntil: Timestamp;
}

const hasSameScores = (one: Scores, other: Scores): boolean =>
  RANK_KINDS.every((kind) => one[kind] === other[kind]);

/** The contestant with its present figures. */
export function withFigures(
  facts: Facts,
  { now, value, performance, heldUntil }: Present,
): Contestant {
  const { slot, pool, tradedAt, gained, listing } = facts;
  const { strategyId, createdAt } = listing;
  const since = listing.since ?? now;
  const ranked = isRanked(since, now);
  // The same performance over a month and over a year is one object, and so are its figures.
  const made = new Map<Performance, ListedFigures>();
  const figures = overEach(TIMEFRAMES, (timeframe) => {
    const over = performance.timeframes[timeframe];
    if (!over) return undefined;
    const known = made.get(over) ?? listedFigures(over, value);
    made.set(over, known);
    return known;
  });
  const scored: Pooled[] = [];
  let until = Math.min(heldUntil, agesAt(since, now));
  for (const [index, timeframe] of TIMEFRAMES.entries()) {
    const over = performance.timeframes[timeframe];
    if (!over) continue;
    const length = TIMEFRAME_LENGTHS[timeframe];
    const traded = tradedAt !== undefined && tradedAt > now - length && tradedAt >= since;
    if (traded) until = Math.min(until, tradedAt + length);
    if (!ranked) continue;
    const standing = {
      ...{ strategyId, since, ...over, value, traded },
      subscribers: listing.followers,
      gained: gained[index] ?? 0,
    };
    const scores = scoresOf(standing, now);
    const last = scored.at(-1);
    scored.push(
      last && hasSameScores(last.scores, scores)
        ? last
        : { strategyId, createdAt, pool, slot, scores },
    );
  }
  // The copy has no room to grow, which would take more memory than the scores.
  return { ...facts, listing: { ...listing, figures }, value, scored: scored.slice(), until };
}
