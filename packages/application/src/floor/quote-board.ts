import {
  type Decimal,
  type Quote,
  type StockId,
  type Timestamp,
  isUsable,
  splitQuote,
} from '@slipstream/domain';

/** The latest usable quote of each stock. Unusable and older ones are dropped and counted. */
export class QuoteBoard {
  private readonly latest = new Map<StockId, Quote>();
  private unsaved = new Map<StockId, Quote>();
  private readonly hiddenSince = new Map<StockId, Timestamp>();
  private readonly shownSince = new Map<StockId, Timestamp>();
  private readonly ratios = new Map<StockId, Decimal>();
  dropped = 0;

  /** `stands` is told what `get` answers for a stock whenever that has changed. */
  constructor(
    private readonly stands: (stockId: StockId, quote: Quote | undefined) => void = () => {},
  ) {}

  /** The reason why the quote was dropped, or undefined when it stands now. */
  put(quote: Quote, now: Timestamp): string | undefined {
    const before = this.latest.get(quote.stockId);
    const refusal = this.hiddenSince.has(quote.stockId)
      ? 'a corporate action of the stock is being done'
      : !isUsable(quote)
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
    this.stands(quote.stockId, quote);
    return undefined;
  }

  /** Quotes from before a restart: they value and size, stale as they are. */
  restore(quotes: readonly Quote[]): void {
    for (const quote of quotes) {
      this.latest.set(quote.stockId, quote);
      this.stands(quote.stockId, this.get(quote.stockId));
    }
  }

  get(stockId: StockId): Quote | undefined {
    return this.hiddenSince.has(stockId) ? undefined : this.latest.get(stockId);
  }

  /** The quote that a command is pinned to, or the latest where that one is in shares from before a split. */
  at(pinned: Quote): Quote | undefined {
    const since = this.shownSince.get(pinned.stockId);
    const isOfNow = since === undefined || pinned.at > since;
    return isOfNow && !this.hiddenSince.has(pinned.stockId) ? pinned : this.get(pinned.stockId);
  }

  /** While books turn into new shares one by one no quote fits all of them: there is none. Answers the last one. */
  hide(stockId: StockId, now: Timestamp): Quote | undefined {
    this.hiddenSince.set(stockId, now);
    this.unsaved.delete(stockId);
    this.stands(stockId, undefined);
    return this.latest.get(stockId);
  }

  isHidden(stockId: StockId): boolean {
    return this.hiddenSince.has(stockId);
  }

  /** Ends `hide`: `quote` is the last one in the shares that the books are in now, however its time compares to `now`. */
  show(stockId: StockId, now: Timestamp, quote?: Quote): void {
    this.hiddenSince.delete(stockId);
    this.shownSince.set(stockId, now);
    if (quote) this.latest.set(stockId, quote);
    this.stands(stockId, this.get(stockId));
  }

  /** From now on the market of this server, which knows no splits, quotes through this ratio. */
  rescale(stockId: StockId, ratio: Decimal): void {
    this.ratios.set(stockId, this.ratios.get(stockId)?.times(ratio) ?? ratio);
  }

  /** A quote of the market of this server in the shares of now. */
  rescaled(quote: Quote): Quote {
    const ratio = this.ratios.get(quote.stockId);
    return ratio ? splitQuote(quote, ratio) : quote;
  }

  /** What came since the last call. */
  takeUnsaved(): Quote[] {
    const taken = [...this.unsaved.values()];
    this.unsaved = new Map();
    return taken;
  }

  /** What was taken and could not be saved; of a stock that was quoted meanwhile the newer one counts. */
  putBack(quotes: readonly Quote[]): void {
    for (const quote of quotes) {
      if (!this.unsaved.has(quote.stockId)) this.unsaved.set(quote.stockId, quote);
    }
  }
}
