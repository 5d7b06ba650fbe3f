import { type Listing, type Strategy, type StrategyId, listingOf } from '@slipstream/domain';

/** Whether a search without a token may find it. */
const isListed = ({ private: isPrivate, deletedAt, endedAt }: Strategy): boolean =>
  !isPrivate && deletedAt === null && endedAt === null;

/**
 * The public strategies that searches look through, with the figures of the last computation of ranks. A strategy that was
 * made or changed since then is in it at once.
 */
export class Catalogue {
  private listings = new Map<StrategyId, Listing>();
  /** Made or changed since the last computation began. */
  private changed = new Map<StrategyId, Strategy>();

  /** A computation of figures begins: later changes are kept through it. */
  begin(): void {
    this.changed = new Map();
  }

  /** Takes a strategy that was just made or changed. */
  put(strategy: Strategy): void {
    this.changed.set(strategy.id, strategy);
    this.apply(strategy);
  }

  private apply(strategy: Strategy): void {
    if (!isListed(strategy)) {
      this.listings.delete(strategy.id);
      return;
    }
    const { figures = new Map(), followers = 0 } = this.listings.get(strategy.id) ?? {};
    this.listings.set(strategy.id, listingOf(strategy, { figures, followers }));
  }

  /** Takes the listings of a computation. */
  replace(listings: Map<StrategyId, Listing>): void {
    this.listings = listings;
    for (const strategy of this.changed.values()) this.apply(strategy);
  }

  all(): readonly Listing[] {
    return [...this.listings.values()];
  }
}
