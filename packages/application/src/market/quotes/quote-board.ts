import {
  type DailyClose,
  type Quote,
  type SplitRatio,
  type StockId,
  type Timestamp,
  closeOf,
  dayOf,
  isUsable,
  splitQuote,
} from '@slipstream/domain';
import { Backlogs } from '../backlogs.js';

/** How far the clock of a sender may be ahead of ours: such a quote counts as now (contract 7b.6). */
const CLOCK_TOLERANCE = 5_000;
/** The number of quotes of a stock after which unneeded ones are removed. */
const KEPT_UNASKED = 64;
/** The place of quotes from before a restart. */
const BEFORE_START = 0;

/** Whether the one that stands is later. One from the future tells no order: the clock was ahead when it came. */
const isLate = ({ at }: Quote, standing: Quote, now: Timestamp): boolean =>
  at < standing.at && standing.at <= now;

interface Received {
  readonly quote: Quote;
  /** 1, 2, 3, … in order of receipt, over all stocks. */
  readonly place: number;
  readonly receivedAt: Timestamp;
}

/** The latest usable quote of each stock, and earlier quotes while a book has not been matched with them. */
export class QuoteBoard {
  private readonly received = new Map<StockId, Received[]>();
  private place = BEFORE_START;
  private unsaved = new Map<StockId, Quote>();
  /** Those that were taken to be saved and are not saved yet. */
  private readonly taken = new Set<Map<StockId, Quote>>();
  private unsavedCloses: DailyClose[] = [];
  /** The last close of each stock, also while it is being stored. */
  private readonly closes = new Map<StockId, DailyClose>();
  private readonly held = new Set<StockId>();
  private readonly hidden = new Set<StockId>();
  /** The place of the last quote that a feed has lost. */
  private readonly lostAt = new Map<StockId, number>();
  private readonly splitAt = new Map<StockId, Timestamp>();
  /** From when on quotes of a stock are in the shares of a split that is not booked yet. */
  private readonly splitDueAt = new Map<StockId, Timestamp>();
  private readonly ratios = new Map<StockId, SplitRatio>();
  dropped = 0;

  /** `stands` is called whenever the result of `get` for a stock has changed. */
  constructor(
    private readonly stands: (stockId: StockId, quote: Quote | undefined) => void = () => {},
    private readonly backlogs = new Backlogs(),
  ) {}

  /** Takes a quote. Returns it with the time that counts, or the reason why it was dropped. */
  put(quote: Quote, now: Timestamp): Quote | string {
    const before = this.latest(quote.stockId)?.quote;
    const isAhead = quote.at > now && quote.at <= now + CLOCK_TOLERANCE;
    const dated = isAhead ? { ...quote, at: now } : quote;
    const refusal = this.refusal(dated, before, now);
    if (refusal !== undefined) {
      this.dropped += 1;
      return refusal;
    }
    if (before && dayOf(before.at) < dayOf(dated.at) && !this.isClosed(before))
      this.closeDay(before);
    this.keep({ quote: dated, place: this.next(), receivedAt: now });
    this.unsaved.set(quote.stockId, dated);
    this.stands(quote.stockId, dated);
    return dated;
  }

  /** Why the quote is not taken after the one before; undefined when it is. */
  private refusal(quote: Quote, before: Quote | undefined, now: Timestamp): string | undefined {
    const { stockId, at } = quote;
    if (this.held.has(stockId) || this.isSplitDue(quote))
      return 'a corporate action of the stock is being done';
    if (!isUsable(quote)) return 'bid, ask and last must be positive and bid at most ask';
    if (at > now) return 'at is in the future';
    const since = this.splitAt.get(stockId);
    if (since !== undefined && at < since && at < now)
      return 'it is from before the split of the stock';
    return before && isLate(quote, before, now) ? 'a later quote is known' : undefined;
  }

  /** The last quote of a day becomes its close. Of a day that ended with a split, the split stored the close. */
  private closeDay(quote: Quote): void {
    if (!this.isInOwnShares(quote)) return;
    const close = closeOf(quote);
    this.unsavedCloses.push(close);
    this.closes.set(quote.stockId, close);
  }

  /** The closes that may not be stored yet: that of the last day that ended, and the latest price of the present one. */
  latestCloses(stockId: StockId): readonly DailyClose[] {
    const last = this.closes.get(stockId);
    const latest = this.latest(stockId)?.quote;
    return [
      ...(last ? [last] : []),
      ...(latest && this.isInOwnShares(latest) && !this.isClosed(latest) ? [closeOf(latest)] : []),
    ];
  }

  /** Whether the quote came in its shares; after a split the last one before it is converted. */
  private isInOwnShares({ stockId, at }: Quote): boolean {
    return at >= (this.splitAt.get(stockId) ?? -Infinity);
  }

  /** A new place for a change of the market that is not a quote but is matched in the same order. */
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
    // The previous quote always stays: a book that the new quote concerns has not been matched with either yet.
    kept.push(received);
  }

  /** Takes quotes from before a restart: they serve to value and to size, and nothing trades at them. */
  restore(quotes: readonly Quote[]): void {
    for (const quote of quotes) {
      this.received.set(quote.stockId, [{ quote, place: BEFORE_START, receivedAt: quote.at }]);
      this.stands(quote.stockId, this.get(quote.stockId));
    }
  }

  /** The latest quote of the stock at that place. */
  get(stockId: StockId, place = Infinity): Quote | undefined {
    return this.find(stockId, place)?.quote;
  }

  /** The feed has lost these stocks: their quotes value and size, and nothing trades at them until the next ones. */
  lost(stockIds: readonly StockId[]): void {
    for (const stockId of stockIds) this.lostAt.set(stockId, this.place);
  }

  /** The same, unless it is from before a restart or the feed has lost it. */
  standing(stockId: StockId, place = Infinity): Quote | undefined {
    const found = this.find(stockId, place);
    return found && found.place > (this.lostAt.get(stockId) ?? BEFORE_START)
      ? found.quote
      : undefined;
  }

  /** Those of the stock after that place, in order of receipt. */
  after(stockId: StockId, place: number): readonly Received[] {
    if (this.hidden.has(stockId)) return [];
    return (this.received.get(stockId) ?? []).filter((one) => one.place > place);
  }

  private find(stockId: StockId, place: number): Received | undefined {
    if (this.hidden.has(stockId)) return undefined;
    const kept = this.received.get(stockId);
    return place === Infinity ? kept?.at(-1) : kept?.findLast((one) => one.place <= place);
  }

  /** Takes no further quote of the stock until `show`, so that books can be matched with those received so far. */
  hold(stockId: StockId): void {
    this.held.add(stockId);
  }

  /** Removes the quote while books are converted to new shares one by one, because no quote fits all of them. Returns the last quote. */
  hide(stockId: StockId): Quote | undefined {
    this.hold(stockId);
    this.hidden.add(stockId);
    // The split saves the quote that fits the books.
    this.leaveUnsaved(stockId);
    this.stands(stockId, undefined);
    return this.latest(stockId)?.quote;
  }

  isHidden(stockId: StockId): boolean {
    return this.hidden.has(stockId);
  }

  /** Ends `hold` and `hide`. `quote` is the last one in new shares; it is taken whatever its time. */
  show(stockId: StockId, quote?: Quote): void {
    this.held.delete(stockId);
    this.hidden.delete(stockId);
    const before = this.latest(stockId) ?? { place: BEFORE_START, receivedAt: quote?.at ?? 0 };
    if (quote) this.received.set(stockId, [{ ...before, quote }]);
    this.stands(stockId, this.get(stockId));
  }

  /**
   * Takes the last quote less a dividend that was still in its price: it values and sizes, and nothing trades at it. The price before is the
   * close of its day.
   */
  lessDividend(quote: Quote): void {
    const { stockId } = quote;
    const before = this.latest(stockId);
    if (!before) return;
    if (!this.isClosed(before.quote)) this.closeDay(before.quote);
    this.leaveUnsaved(stockId);
    this.received.set(stockId, [{ ...before, quote }]);
    this.lost([stockId]);
    this.stands(stockId, this.get(stockId));
  }

  /** Whether the price of that time became a close already: that of now is less a dividend. */
  isClosed({ stockId, at }: Quote): boolean {
    return this.closes.get(stockId)?.at === at;
  }

  /** Quotes from before `at` are in old shares. */
  wasSplit(stockId: StockId, at: Timestamp): void {
    this.splitAt.set(stockId, at);
  }

  /** Quotes of the stock from that moment on are not taken until its split is booked; without a moment they are again. */
  expectSplit(stockId: StockId, at: Timestamp | undefined): void {
    if (at === undefined) this.splitDueAt.delete(stockId);
    else this.splitDueAt.set(stockId, at);
  }

  private isSplitDue({ stockId, at }: Quote): boolean {
    const dueAt = this.splitDueAt.get(stockId);
    return dueAt !== undefined && at >= dueAt;
  }

  /** From now on quotes of a feed that knows no splits are divided by this ratio. */
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

  /** A quote of such a feed in present shares. */
  rescaled(quote: Quote): Quote {
    const ratio = this.ratios.get(quote.stockId);
    return ratio ? splitQuote(quote, ratio) : quote;
  }

  /** The latest quote of each stock quoted since the last call. A quote leaves them when a corporate action saves another. */
  takeUnsaved(): Map<StockId, Quote> {
    const taken = this.unsaved;
    this.taken.add(taken);
    this.unsaved = new Map();
    return taken;
  }

  /** The quotes of the stock so far are not saved, also those that were taken for it: a corporate action saves the one that fits the books. */
  leaveUnsaved(stockId: StockId): void {
    for (const quotes of [this.unsaved, ...this.taken]) quotes.delete(stockId);
  }

  /** The closes of days that ended since the last call. */
  takeUnsavedCloses(): readonly DailyClose[] {
    const taken = this.unsavedCloses;
    this.unsavedCloses = [];
    return taken;
  }

  /** Takes back closes that could not be saved. */
  putBackCloses(closes: readonly DailyClose[]): void {
    this.unsavedCloses.unshift(...closes);
  }

  /** Ends `takeUnsaved`: takes back those that could not be saved. If a stock was quoted meanwhile, the newer quote stays. */
  endSave(taken: Map<StockId, Quote>, areSaved: boolean): void {
    this.taken.delete(taken);
    if (!areSaved) this.unsaved = new Map([...taken, ...this.unsaved]);
  }
}
