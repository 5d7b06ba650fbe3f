import {
  type Quote,
  type SplitRatio,
  type StockId,
  type Timestamp,
  isUsable,
  splitQuote,
} from '@slipstream/domain';
import { Backlogs } from './backlogs.js';

/** How far ahead of this clock a sender's may be: such a quote is of now (contract 7b.6). */
const CLOCK_TOLERANCE = 5_000;
/** Quotes of a stock that are kept without looking which of them are still needed. */
const KEPT_UNASKED = 64;
/** Of quotes from before a restart. */
const BEFORE_START = 0;

interface Received {
  readonly quote: Quote;
  /** 1, 2, 3, … in order of receipt, over all stocks. */
  readonly place: number;
}

/** The latest usable quote of each stock, and earlier ones as long as a book has yet to meet them. */
export class QuoteBoard {
  private readonly received = new Map<StockId, Received[]>();
  private place = BEFORE_START;
  private unsaved = new Map<StockId, Quote>();
  private readonly held = new Set<StockId>();
  private readonly hidden = new Set<StockId>();
  private readonly splitAt = new Map<StockId, Timestamp>();
  private readonly ratios = new Map<StockId, SplitRatio>();
  dropped = 0;

  /** `stands` is told what `get` answers for a stock whenever that has changed. */
  constructor(
    private readonly stands: (stockId: StockId, quote: Quote | undefined) => void = () => {},
    private readonly backlogs = new Backlogs(),
  ) {}

  /** The quote as it stands now, or the reason why it was dropped. */
  put(quote: Quote, now: Timestamp): Quote | string {
    const before = this.latest(quote.stockId)?.quote;
    const since = this.splitAt.get(quote.stockId);
    const isAhead = quote.at > now && quote.at <= now + CLOCK_TOLERANCE;
    const dated = isAhead ? { ...quote, at: now } : quote;
    const refusal = this.held.has(quote.stockId)
      ? 'a corporate action of the stock is being done'
      : !isUsable(quote)
        ? 'bid, ask and last must be positive and bid at most ask'
        : dated.at > now
          ? 'at is in the future'
          : since !== undefined && dated.at < since && dated.at < now
            ? 'it is from before the split of the stock'
            : before && before.at > dated.at
              ? 'a later quote is known'
              : undefined;
    if (refusal !== undefined) {
      this.dropped += 1;
      return refusal;
    }
    this.keep({ quote: dated, place: this.next() });
    this.unsaved.set(quote.stockId, dated);
    this.stands(quote.stockId, dated);
    return dated;
  }

  /** The place of something that is no quote and that books meet as they do quotes. */
  next(): number {
    this.place += 1;
    return this.place;
  }

  /** The place of the last quote. */
  get lastPlace(): number {
    return this.place;
  }

  private latest(stockId: StockId): Received | undefined {
    return this.received.get(stockId)?.at(-1);
  }

  private keep(received: Received): void {
    const { stockId } = received.quote;
    const kept = this.received.get(stockId);
    if (!kept) {
      this.received.set(stockId, [received]);
      return;
    }
    if (this.backlogs.size === 0 || kept.length % KEPT_UNASKED === 0) {
      const needed = this.backlogs.neededFrom();
      while (kept.length > 1 && (kept[1]?.place ?? 0) <= needed) kept.shift();
    }
    // The one before always stays: a book that this one concerns has not met it yet.
    kept.push(received);
  }

  /** Quotes from before a restart: they value and size, and never trade. */
  restore(quotes: readonly Quote[]): void {
    for (const quote of quotes) {
      this.received.set(quote.stockId, [{ quote, place: BEFORE_START }]);
      this.stands(quote.stockId, this.get(quote.stockId));
    }
  }

  /** What stood when the quote of that place had come. */
  get(stockId: StockId, place = Infinity): Quote | undefined {
    return this.find(stockId, place)?.quote;
  }

  /** The same, unless it is from before a restart. */
  sinceStart(stockId: StockId, place = Infinity): Quote | undefined {
    const found = this.find(stockId, place);
    return found && found.place > BEFORE_START ? found.quote : undefined;
  }

  private find(stockId: StockId, place: number): Received | undefined {
    if (this.hidden.has(stockId)) return undefined;
    const kept = this.received.get(stockId);
    return place === Infinity ? kept?.at(-1) : kept?.findLast((one) => one.place <= place);
  }

  /** No further quote is taken, so that books can meet those that came. Ends with `show`. */
  hold(stockId: StockId): void {
    this.held.add(stockId);
  }

  /** While books turn into new shares one by one no quote fits all of them: there is none. Answers the last one. */
  hide(stockId: StockId): Quote | undefined {
    this.hold(stockId);
    this.hidden.add(stockId);
    this.unsaved.delete(stockId);
    this.stands(stockId, undefined);
    return this.latest(stockId)?.quote;
  }

  isHidden(stockId: StockId): boolean {
    return this.hidden.has(stockId);
  }

  /** Ends `hide`: `quote` is the last one in the shares that the books are in now, however its time compares to now. */
  show(stockId: StockId, quote?: Quote): void {
    this.held.delete(stockId);
    this.hidden.delete(stockId);
    const place = this.latest(stockId)?.place ?? BEFORE_START;
    if (quote) this.received.set(stockId, [{ quote, place }]);
    this.stands(stockId, this.get(stockId));
  }

  /** Quotes from before `at` are in old shares. */
  wasSplit(stockId: StockId, at: Timestamp): void {
    this.splitAt.set(stockId, at);
  }

  /** From now on a feed that knows no splits quotes through this ratio. */
  rescale(stockId: StockId, ratio: SplitRatio): void {
    const before = this.ratios.get(stockId);
    this.ratios.set(
      stockId,
      before
        ? {
            newShares: before.newShares.times(ratio.newShares),
            oldShares: before.oldShares.times(ratio.oldShares),
          }
        : ratio,
    );
  }

  /** A quote of such a feed in the shares of now. */
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
