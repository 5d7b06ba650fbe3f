import type { StrategyId, Timestamp } from '../ids.js';
import type { Security } from '../market/stock.js';
import { type Decimal, PLACES, unitsOf } from '../numbers/decimal.js';
import type { Ranks } from '../performance/ranks.js';
import { type Basis, basisOfKind, currentSegment, kindNow } from '../performance/segments.js';
import type { OverTimeframes, Timeframe, TimeframeFigures } from '../performance/timeframes.js';
import { DAY } from '../time.js';
import type { Strategy } from './strategy.js';

/** The figures of a strategy in one timeframe by which it can be found, in units of the 18th place. */
export interface ListedFigures {
  /** A fraction; null while the value is unavailable. */
  readonly return: bigint | null;
  /** A positive fraction. */
  readonly maxDrawdown: bigint;
}

/** A strategy as a search sees it. */
export interface Listing {
  readonly strategyId: StrategyId;
  /** Name, description and categories in lower case. */
  readonly text: string;
  readonly categories: readonly string[];
  readonly type: Security;
  readonly price: number;
  readonly basis: Basis;
  readonly createdAt: Timestamp;
  /** When the segment started that goes on; null while the next one opens. */
  readonly since: Timestamp | null;
  readonly figures: OverTimeframes<ListedFigures>;
  readonly followers: number;
}

/** What a search is for; without a field everything fits. */
export interface ListingFilter {
  /** Words that all occur in the name, the description or the categories. */
  readonly query?: string | undefined;
  readonly type?: Security | undefined;
  /** One of these, in any case of letters. */
  readonly categories?: readonly string[] | undefined;
  readonly maxPrice?: number | undefined;
  /** Whole days of the segment that goes on. */
  readonly minAgeDays?: number | undefined;
  readonly maxDrawdown?: Decimal | undefined;
  readonly basis?: Basis | undefined;
}

/** The orders of a search: by a rank, or by a figure, the best first. */
export const LISTING_SORTS = [
  ...['rank_top', 'rank_performance', 'rank_popular', 'rank_trending'],
  ...['return', 'drawdown', 'age', 'price', 'followers'],
] as const satisfies readonly string[] as readonly (
  | `rank_${keyof Ranks}`
  | 'return'
  | 'drawdown'
  | 'age'
  | 'price'
  | 'followers'
)[];
export type ListingSort = (typeof LISTING_SORTS)[number];

/** The figures of a view. */
export const listedFigures = ({
  return: gain,
  maxDrawdown,
}: Pick<TimeframeFigures, 'return' | 'maxDrawdown'>): ListedFigures => ({
  return: gain && unitsOf(gain, PLACES),
  maxDrawdown: unitsOf(maxDrawdown, PLACES),
});

/** The listing of a strategy with its computed figures. */
export function listingOf(
  strategy: Strategy,
  { figures, followers }: Pick<Listing, 'figures' | 'followers'>,
): Listing {
  const { id: strategyId, name, description, type, price, createdAt } = strategy;
  const categories = strategy.categories.map((label) => label.toLowerCase());
  return {
    strategyId,
    text: [name, description, ...categories].join('\n').toLowerCase(),
    categories,
    type,
    price,
    basis: basisOfKind(kindNow(strategy)),
    createdAt,
    since: currentSegment(strategy)?.startedAt ?? null,
    figures,
    followers,
  };
}

/** Whole days since then; none while there is no segment, nor while the clock is behind its start. */
export const daysSince = (since: Timestamp | null, now: Timestamp): number =>
  since === null ? 0 : Math.max(0, Math.floor((now - since) / DAY));

const isAtMost = (figure: bigint | undefined, most: bigint): boolean =>
  figure !== undefined && figure <= most;

/** Tells which listings a search is for. A drawdown that is not known is none that a search could promise. */
export function listingMatcher(
  filter: ListingFilter,
  timeframe: Timeframe,
  now: Timestamp,
): (listing: Listing) => boolean {
  const words = (filter.query ?? '').toLowerCase().split(/\s+/).filter(Boolean);
  const wanted =
    filter.categories && new Set(filter.categories.map((label) => label.toLowerCase()));
  const { type, basis, maxPrice = Infinity, minAgeDays = 0 } = filter;
  const most = filter.maxDrawdown && unitsOf(filter.maxDrawdown, PLACES);
  return ({ text, figures, ...listing }) =>
    (type === undefined || listing.type === type) &&
    (basis === undefined || listing.basis === basis) &&
    listing.price <= maxPrice &&
    (minAgeDays === 0 || daysSince(listing.since, now) >= minAgeDays) &&
    (!wanted || listing.categories.some((label) => wanted.has(label))) &&
    (most === undefined || isAtMost(figures[timeframe]?.maxDrawdown, most)) &&
    words.every((word) => text.includes(word));
}

type Key = bigint | number | null;

/** Smaller keys come first, missing ones last. */
function compareKeys(first: Key, second: Key): number {
  if (first === null || second === null) return Number(first === null) - Number(second === null);
  return first === second ? 0 : first < second ? -1 : 1;
}

/** A listing with its place in an order. */
export interface KeyedListing {
  readonly listing: Listing;
  readonly key: Key;
}

/** The keys of the listings in an order: the smallest is the best. */
export const listingKey =
  (sort: ListingSort, timeframe: Timeframe, ranksOf: (strategyId: StrategyId) => Ranks) =>
  (listing: Listing): Key => {
    const over = listing.figures[timeframe];
    switch (sort) {
      case 'return':
        return typeof over?.return === 'bigint' ? -over.return : null;
      case 'drawdown':
        return over?.maxDrawdown ?? null;
      case 'age':
        return listing.since;
      case 'price':
        return listing.price;
      case 'followers':
        return -listing.followers;
      default:
        return ranksOf(listing.strategyId)[RANK_OF[sort]];
    }
  };

/** The best first; equal ones by age, the older first. */
export const byListingKey = (first: KeyedListing, second: KeyedListing): number =>
  compareKeys(first.key, second.key) ||
  first.listing.createdAt - second.listing.createdAt ||
  (first.listing.strategyId < second.listing.strategyId ? -1 : 1);

const RANK_OF = {
  rank_top: 'top',
  rank_performance: 'performance',
  rank_popular: 'popular',
  rank_trending: 'trending',
} as const satisfies Record<string, keyof Ranks>;
