import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import {
  type KeyedListing,
  type Listing,
  type ListingFilter,
  type ListingSort,
  byListingKey,
  daysSince,
  listingKey,
  listingMatcher,
} from './listing.js';
import { decimal } from '../numbers/decimal.js';
import { id } from '../ids.js';
import type { Ranks } from '../performance/ranks.js';
import { DAY } from '../time.js';

const NOW = Date.UTC(2026, 5, 1);
const PERCENT = 10n ** 16n;

const figures = (gain: bigint | null, drawdown: bigint): Listing['figures'] => ({
  month: { return: gain, maxDrawdown: drawdown * PERCENT },
});

const aListing = (name: string, changes: Partial<Listing> = {}): Listing => ({
  strategyId: id(name),
  text: 'momentum\nof large stocks\ntrend',
  categories: ['trend', 'us'],
  type: 'stock',
  price: 15,
  basis: 'hypothetical',
  createdAt: NOW - 40 * DAY,
  since: NOW - 31 * DAY + 1,
  figures: figures(5n, 10n),
  followers: 3,
  ...changes,
});

describe('a search finds a strategy', () => {
  it.each<[ListingFilter, boolean]>([
    [{}, true],
    [{ query: '  LARGE  momentum ' }, true],
    [{ query: 'momentum small' }, false],
    [{ type: 'stock', basis: 'hypothetical', categories: ['crypto', 'US'] }, true],
    [{ type: 'cryptocurrency' }, false],
    [{ basis: 'simulated' }, false],
    [{ categories: ['crypto'] }, false],
    [{ maxPrice: 15 }, true],
    [{ maxPrice: 14 }, false],
    [{ minAgeDays: 30 }, true],
    [{ minAgeDays: 31 }, false],
    [{ maxDrawdown: decimal('0.1') }, true],
    [{ maxDrawdown: decimal('0.099999999999999999') }, false],
  ])('by %j: %s', (filter, isFound) => {
    expect(listingMatcher(filter, 'month', NOW)(aListing('one'))).toBe(isFound);
  });

  it('that has no segment, unless it asks for days of one', () => {
    const opening = aListing('one', { since: null });
    expect(listingMatcher({}, 'month', NOW)(opening)).toBe(true);
    expect(listingMatcher({ minAgeDays: 1 }, 'month', NOW)(opening)).toBe(false);
  });

  it('whose drawdown is not known, unless it asks for a largest one', () => {
    const unknown = aListing('one', { figures: {} });
    expect(listingMatcher({}, 'month', NOW)(unknown)).toBe(true);
    expect(listingMatcher({ maxDrawdown: decimal('1') }, 'month', NOW)(unknown)).toBe(false);
  });
});

describe('strategies are listed the best first', () => {
  const listings = [
    aListing('a', { price: 1, followers: 1, figures: figures(1n, 9n), since: NOW - 9 * DAY }),
    aListing('b', { price: 9, followers: 9, figures: figures(9n, 1n), since: NOW - DAY }),
    aListing('c', { price: 5, followers: 5, figures: figures(null, 5n), since: null }),
    aListing('d', { price: 5, followers: 5, figures: figures(5n, 5n), since: NOW - 5 * DAY }),
    aListing('e', { price: 5, followers: 5, figures: {}, since: null, createdAt: NOW - 41 * DAY }),
  ];
  const ranks: Readonly<Record<string, number>> = { a: 2, b: 1 };
  const ranksOf = (strategyId: string): Ranks => {
    const top = ranks[strategyId] ?? null;
    return { top, performance: null, popular: null, trending: null };
  };

  it.each<[ListingSort, string]>([
    ['return', 'b d a e c'],
    ['drawdown', 'b c d a e'],
    ['age', 'a d b e c'],
    ['price', 'a e c d b'],
    ['followers', 'b e c d a'],
    ['rank_top', 'b a e c d'],
    ['rank_popular', 'e a b c d'],
  ])('by %s: %s; missing ones last, equal ones by age, then by id', (sort, expected) => {
    const key = listingKey(sort, 'month', ranksOf);
    const keyed = listings
      .toReversed()
      .map((listing): KeyedListing => ({ listing, key: key(listing) }));
    expect(keyed.toSorted(byListingKey).map(({ listing }) => listing.strategyId)).toEqual(
      expected.split(' '),
    );
  });
});

describe('the age of a record', () => {
  it('is its whole days, and none while the clock is behind its start', () => {
    const moment = fc.integer({ min: 0, max: 2 * NOW });
    fc.assert(
      fc.property(moment, moment, (since, now) => {
        const days = daysSince(since, now);
        expect(days).toBe(now < since ? 0 : Math.floor((now - since) / DAY));
      }),
    );
    expect(daysSince(null, NOW)).toBe(0);
  });
});
