import {
  DAY,
  MINUTE,
  type Quote,
  type SplitRatio,
  type StockId,
  type Timestamp,
  decimal,
  decimalText,
  isUsable,
  splitLike,
  tradingDay,
} from '@slipstream/domain';

/** How long only a corporate action releases a stock; after it the operator may. */
const ACTION_FIRST = 30 * MINUTE;

/** How long quotes stay near the price before a jump until the jump counts as a mistake: the source of actions was asked meanwhile. */
const RETURN_LASTS = 5 * MINUTE;
const NEAR = decimal('0.1');

const isNear = ({ bid, ask }: Quote, before: Quote): boolean =>
  bid.minus(before.bid).abs().lte(before.bid.times(NEAR)) &&
  ask.minus(before.ask).abs().lte(before.ask.times(NEAR));

/** A stock whose quotes are not taken, because the first one of a day looks like a split. */
export interface HeldStock {
  readonly since: Timestamp;
  readonly ratio: SplitRatio;
  /** From then on the operator may release it. */
  readonly until: Timestamp;
}

export const heldText = ({ ratio: { newShares, oldShares } }: Pick<HeldStock, 'ratio'>): string =>
  `its price looks like a split of ${decimalText(newShares)}:${decimalText(oldShares)}`;

/** Holds stocks whose first quote of a day looks like a split that nobody booked (contract 11). */
export class SplitGuard {
  private readonly held = new Map<StockId, HeldStock>();
  /** Since when each quote of a held stock has been near the last one that was taken. */
  private readonly returnedAt = new Map<StockId, Timestamp>();
  /** The day on which a stock was held last. */
  private readonly heldOn = new Map<StockId, Timestamp>();
  /** Stocks whose next quote is taken as it is. */
  private readonly trusted = new Set<StockId>();
  /** Quotes from before are another feed's, and compared with none. */
  private comparesFrom: Timestamp = Infinity;
  private day: Timestamp = -Infinity;

  /** `halts` is called whenever a stock comes to be held, and when it is no longer. */
  constructor(private readonly halts: (stockId: StockId, held: HeldStock | undefined) => void) {}

  /** From now on quotes are compared with those since that moment. */
  turnOn(since: Timestamp): void {
    this.comparesFrom = since;
  }

  /** Why the quote is not taken after `before`; undefined when it is. */
  refusal(quote: Quote, before: Quote | undefined): string | undefined {
    if (this.comparesFrom === Infinity) return undefined;
    const { stockId } = quote;
    const standing = this.held.get(stockId);
    if (standing && !this.hasReturned(quote, before)) return heldText(standing);
    if (standing) this.release(stockId);
    if (!isUsable(quote) || this.trusted.delete(stockId)) return undefined;
    if (!before || before.at < this.comparesFrom || !this.isCompared(quote, before))
      return undefined;
    const ratio = splitLike(before, quote);
    if (!ratio) return undefined;
    const held = { since: quote.at, ratio, until: quote.at + ACTION_FIRST };
    this.held.set(stockId, held);
    this.heldOn.set(stockId, this.day);
    this.halts(stockId, held);
    return heldText(held);
  }

  /** Whether it is the first quote of its day in New York, or its stock was held that day: then the jump may come again. */
  private isCompared({ stockId, at }: Quote, before: Quote): boolean {
    // Nearly always the day is the one of the last call.
    if (at < this.day || at >= this.day + DAY - 2 * 60 * MINUTE) this.day = tradingDay('stock', at);
    return before.at < this.day || this.heldOn.get(stockId) === this.day;
  }

  /** Whether every quote for a while was near the last one that was taken: the jump was no split. */
  private hasReturned(quote: Quote, before: Quote | undefined): boolean {
    const { stockId, at } = quote;
    if (!before || !isUsable(quote) || !isNear(quote, before)) {
      this.returnedAt.delete(stockId);
      return false;
    }
    const since = this.returnedAt.get(stockId) ?? at;
    this.returnedAt.set(stockId, since);
    return at - since >= RETURN_LASTS;
  }

  get(stockId: StockId): HeldStock | undefined {
    return this.held.get(stockId);
  }

  all(): ReadonlyMap<StockId, HeldStock> {
    return this.held;
  }

  /** A split of the stock is booked: its next quote is compared with the last one in new shares. */
  release(stockId: StockId): void {
    this.returnedAt.delete(stockId);
    if (this.held.delete(stockId)) this.halts(stockId, undefined);
  }

  /** The next quote of the stock is right, however far it is from the last one. */
  trust(stockId: StockId): void {
    this.trusted.add(stockId);
    this.release(stockId);
  }
}
