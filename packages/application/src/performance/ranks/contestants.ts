import {
  type Baseline,
  type Basis,
  type Decimal,
  type ListedFigures,
  type Listing,
  type Membership,
  type Scores,
  type Strategy,
  type Standing,
  TIMEFRAMES,
  TIMEFRAME_LENGTHS,
  type Timestamp,
  agesAt,
  baselineOf,
  gainOf,
  gainedSince,
  isRanked,
  kindNow,
  listingOf,
  nextGain,
  overEach,
  poolOf,
  scoresOf,
  type UnitPerformance,
} from '@slipstream/domain';
import type { ReadStores } from '@slipstream/ports';
import type { Glance } from '../known-history.js';

/** What the ranks know of a public strategy from its record. */
interface Facts {
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
  readonly scored: readonly Scores[];
  /** When time alone may change the scores. */
  readonly until: Timestamp;
}

/** Of a strategy without subscribers, one list for all. */
const NONE_GAINED: readonly number[] = TIMEFRAMES.map(() => 0);

interface Given {
  readonly now: Timestamp;
  readonly pushTrusted: boolean;
  /** Of the strategy. */
  readonly memberships: readonly Membership[];
}

/** What the ranks need of a strategy beside its value history. */
export async function factsOf(
  { trades }: Pick<ReadStores, 'trades'>,
  strategy: Strategy,
  { now, pushTrusted, memberships }: Given,
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
    listing,
    baseline: baselineOf(strategy),
    pool: poolOf(kindNow(strategy), pushTrusted),
    tradedAt: last?.createdAt,
    gained:
      memberships.length === 0
        ? NONE_GAINED
        : spans.map(({ from }) => gainedSince(memberships, from)),
    gainedUntil: Math.min(...spans.map(({ from, length }) => nextGain(memberships, from) + length)),
  };
}

/** One whose segment has no value yet is found, but has neither figures nor ranks. */
export const withoutFigures = (facts: Facts): Contestant => {
  const { listing, baseline, pool, tradedAt, gained, gainedUntil } = facts;
  // Not by a spread, which keeps its fields outside of the object.
  // oxfmt-ignore
  return {
    listing, baseline, pool, tradedAt, gained, gainedUntil,
    value: null, scored: [], until: Infinity,
  };
};

/** The present figures over all timeframes. */
export interface Present extends Glance {
  readonly now: Timestamp;
  readonly value: Decimal | null;
}

/** Whether the scores of both, of one strategy at one moment, are the same. */
const hasSameScores = (one: Standing, other: Standing): boolean =>
  one.gain === other.gain &&
  one.drawdown === other.drawdown &&
  one.traded === other.traded &&
  one.gained === other.gained;

/** The contestant with its present figures. */
export function withFigures(
  facts: Facts,
  { now, value, units, over, heldUntil }: Present,
): Contestant {
  const { tradedAt, gained, listing } = facts;
  const { followers: subscribers } = listing;
  const since = listing.since ?? now;
  const ranked = isRanked(since, now);
  const scored: Scores[] = [];
  let until = Math.min(heldUntil, agesAt(since, now));
  // The same performance over a month and over a year is one object, and so are its figures and often its scores.
  let before: Standing | undefined;
  let known: ListedFigures | undefined;
  const figures = overEach(TIMEFRAMES, (timeframe, index) => {
    const { past, drawdown } = over[index] as UnitPerformance;
    if (!known || over[index] !== over[index - 1])
      known = { return: gainOf(past, units), maxDrawdown: drawdown };
    if (!ranked) return known;
    const length = TIMEFRAME_LENGTHS[timeframe];
    const traded = tradedAt !== undefined && tradedAt > now - length && tradedAt >= since;
    if (traded) until = Math.min(until, tradedAt + length);
    const gain = known.return;
    const next = { since, gain, drawdown, traded, subscribers, gained: gained[index] ?? 0 };
    const last = scored.at(-1);
    const isSame = last && before && hasSameScores(before, next);
    scored.push(isSame ? last : scoresOf(next, now));
    before = next;
    return known;
  });
  // The copy has no room to grow, which would take more memory than the scores.
  return { ...facts, listing: { ...listing, figures }, value, scored: scored.slice(), until };
}
