import { type Quote, type StockId, type Timestamp, isUsable } from '@slipstream/domain';

/** The latest usable quote of each stock. Unusable and older ones are dropped and counted. */
export class QuoteBoard {
  private readonly latest = new Map<StockId, Quote>();
  private unsaved = new Map<StockId, Quote>();
  dropped = 0;

  /** The reason why the quote was dropped, or undefined when it stands now. */
  put(quote: Quote, now: Timestamp): string | undefined {
    const before = this.latest.get(quote.stockId);
    const refusal = !isUsable(quote)
      ? 'bid, ask and last must be positive and bid at most ask'
      : quote.at > now
        ? 'at is in the future'
        : before && before.at > quote.at
          ? 'a later quote is known'
          : undefined;
    if (refusal !== undefined) {
      this.dropped += 1;
      return refusal;
    }
    this.latest.set(quote.stockId, quote);
    this.unsaved.set(quote.stockId, quote);
    return undefined;
  }

  /** Quotes from before a restart: they value and size, stale as they are. */
  restore(quotes: readonly Quote[]): void {
    for (const quote of quotes) this.latest.set(quote.stockId, quote);
  }

  get(stockId: StockId): Quote | undefined {
    return this.latest.get(stockId);
  }

  /** What came since the last call. */
  takeUnsaved(): Quote[] {
    const taken = [...this.unsaved.values()];
    this.unsaved = new Map();
    return taken;
  }
}
