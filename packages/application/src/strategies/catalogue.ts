import {
  type Listing,
  type Strategy,
  type StrategyId,
  type StrategyView,
  listedFigures,
  listingOf,
  overEach,
} from '@slipstream/domain';

/** Whether a search without a token may find it. */
const isListed = ({ private: isPrivate, deletedAt, endedAt }: Strategy): boolean =>
  !isPrivate && deletedAt === null && endedAt === null;

/** The listing of a strategy with the figures of its view, which has every timeframe. */
export function listingOfView({
  strategy,
  timeframes,
  subscriberCount: followers,
}: StrategyView): Listing {
  const listed = timeframes.map(({ timeframe }) => timeframe);
  const figures = overEach(listed, (_, index) => {
    const figuresOver = timeframes[index];
    return figuresOver && listedFigures(figuresOver);
  });
  return listingOf(strategy, { figures, followers });
}

/**
 * The public strategies that searches look through, with the figures of the last computation of ranks. A strategy that was
 * made or changed since then is in it at once.
 */
export class Catalogue {
  private listings = new Map<StrategyId, Listing>();
  /** Made or changed since the last computation began; undefined if nobody may find it any more. */
  private changed = new Map<StrategyId, Listing | undefined>();

  /** A computation of figures begins: later changes are kept through it. */
  begin(): void {
    this.changed = new Map();
  }

  /** Takes a strategy that was just made or changed. */
  put(view: StrategyView): void {
    const { strategy } = view;
    const listing = isListed(strategy) ? listingOfView(view) : undefined;
    this.changed.set(strategy.id, listing);
    this.apply(strategy.id, listing);
  }

  private apply(strategyId: StrategyId, listing: Listing | undefined): void {
    if (listing) this.listings.set(strategyId, listing);
    else this.listings.delete(strategyId);
  }

  /** Takes the listings of a computation. */
  replace(listings: Map<StrategyId, Listing>): void {
    this.listings = listings;
    for (const [strategyId, listing] of this.changed) this.apply(strategyId, listing);
  }

  all(): readonly Listing[] {
    return [...this.listings.values()];
  }
}
