import {
  type KeyedListing,
  type Listing,
  type ListingFilter,
  type ListingSort,
  type Strategy,
  type StrategyId,
  type StrategyView,
  type Timeframe,
  basisOfKind,
  byListingKey,
  listingKey,
  listingMatcher,
  segmentKind,
} from '@slipstream/domain';
import type { ReadStores } from '@slipstream/ports';
import type { Caller } from '../caller.js';
import type { Core } from '../core.js';
import { sortInTurns } from '../performance/sort-in-turns.js';
import { requireUser, visibleStrategies } from './access.js';
import { listingOfView } from './catalogue.js';
import { forOwner, viewStrategies } from './strategy-views.js';

/** A search, its order and the part of the list. */
export interface FindStrategies extends ListingFilter {
  /** Only the caller's own, also private ones and those that have ended. */
  readonly isMine?: boolean | undefined;
  readonly timeframe?: Timeframe | undefined;
  readonly sort?: ListingSort | undefined;
  readonly limit?: number | undefined;
  readonly cursor?: string | undefined;
}

const MOST = 100;
/** The number of listings that are compared with a search before other work runs: a millisecond or two. */
const PIECE = 500;

/** The caller's own strategies with their present figures. Caps keep them few. */
async function ownListings(core: Core, caller: Caller): Promise<Listing[]> {
  const { userId } = requireUser(caller);
  const listings: Listing[] = [];
  for (let cursor: string | undefined; ; await core.pause()) {
    const page = await core.unitOfWork.read(async (stores) => {
      const own = await stores.strategies.ownedBy(userId, { limit: MOST, cursor });
      return viewStrategies(core, stores, own);
    });
    listings.push(...page.map(listingOfView));
    cursor = page.at(-1)?.strategy.id;
    if (page.length < MOST) return listings;
  }
}

/** Those that match, with their keys, in turns. */
async function matching(
  core: Core,
  listings: readonly Listing[],
  matches: (listing: Listing) => boolean,
  keyOf: (listing: Listing) => KeyedListing['key'],
): Promise<KeyedListing[]> {
  const found: KeyedListing[] = [];
  for (const [index, listing] of listings.entries()) {
    if (matches(listing)) found.push({ listing, key: keyOf(listing) });
    if (index % PIECE === PIECE - 1) await core.pause();
  }
  return found;
}

/** The strategies after the cursor that the caller may still see, as many as were asked for. */
async function pageOf(
  core: Core,
  caller: Caller,
  strategyIds: readonly StrategyId[],
  { isMine, timeframe, limit = MOST }: FindStrategies,
): Promise<StrategyView[]> {
  const shown = (stores: ReadStores, strategies: readonly Strategy[]) =>
    viewStrategies(core, stores, strategies, timeframe);
  return core.unitOfWork.read(async (stores) => {
    const chosen: Strategy[] = [];
    for (let at = 0; chosen.length < limit && at < strategyIds.length; at += MOST) {
      const found = await visibleStrategies(stores, caller, strategyIds.slice(at, at + MOST));
      chosen.push(
        ...(isMine ? found : found.filter((one) => !one.private && one.endedAt === null)),
      );
    }
    const views = await shown(stores, chosen.slice(0, limit));
    return isMine ? views.map(forOwner) : views;
  });
}

/** Public strategies, or the caller's own, that match a search (contract 14). */
export const findStrategies =
  (core: Core) =>
  async (caller: Caller, command: FindStrategies): Promise<StrategyView[]> => {
    const { isMine = false, sort = 'rank_top', timeframe = 'month', cursor } = command;
    const { live, catalogue, ranking, clock } = core;
    const basis = command.basis ?? (isMine ? undefined : basisOfKind(segmentKind(live.marketKind)));
    const all = isMine ? await ownListings(core, caller) : catalogue.all();
    const matches = listingMatcher({ ...command, basis }, timeframe, clock.now());
    const found = await matching(
      core,
      all,
      // The list goes on at the place of the cursor's strategy, also when that does not match any more.
      (listing) => listing.strategyId === cursor || matches(listing),
      listingKey(sort, timeframe, (strategyId) => ranking.ranksOf(strategyId, timeframe)),
    );
    const sorted = await sortInTurns(found, byListingKey, core.pause);
    const after = sorted.findIndex(({ listing }) => listing.strategyId === cursor);
    if (cursor !== undefined && after === -1) return [];
    const rest = sorted.slice(after + 1).map(({ listing }) => listing.strategyId);
    return pageOf(core, caller, rest, command);
  };
