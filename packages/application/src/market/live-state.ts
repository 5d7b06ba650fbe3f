import {
  type Book,
  type BookChange,
  type Decimal,
  type FillMarket,
  type Market,
  type OpenOrder,
  type OrderId,
  type PackedBook,
  type Quote,
  type QuoteSource,
  type Session,
  type StockAction,
  type StockId,
  type StrategyId,
  type Timestamp,
  type WaitingOrder,
  grossExposure,
  isOfSession,
  strategyValue,
  type Stock,
} from '@slipstream/domain';
import type { KnownVersions, Pause, TradingHours } from '@slipstream/ports';
import { chunksOf } from '../chunks-of.js';
import { Backlogs, type Moment } from './backlogs.js';
import { KnownBooks } from '../trading/known-books.js';
import { SplitGuard } from './split-guard.js';
import { QuoteBoard } from './quotes/quote-board.js';
import { StockDirectory } from './stock-directory.js';

/** The number of quotes that are restored before other work runs: with 200 holders each, about half a millisecond. */
const A_TURN = 50;

/** The stored market and books. */
export interface StoredMarket {
  readonly stocks: readonly Stock[];
  readonly quotes: readonly Quote[];
  /** The last split of each stock. */
  readonly splits: readonly Pick<StockAction, 'stockId' | 'createdAt'>[];
  readonly books: readonly PackedBook[];
}

export interface LiveStateOptions {
  /** The kind of market of the quotes; fills name it. */
  readonly marketKind?: FillMarket;
  /** The address of the service, for the links of stocks. */
  readonly publicUrl?: () => string | undefined;
  /** Those that were read before the start; by default none. */
  readonly books?: KnownBooks;
}

/**
 * The state of the running core in memory: instruments, latest quotes, committed books, and an index of the orders that a quote
 * concerns. The stores are the truth; each start rebuilds this state from them.
 */
export class LiveState {
  readonly marketKind: FillMarket;
  readonly stocks: StockDirectory;
  readonly backlogs = new Backlogs();
  readonly quotes = new QuoteBoard(
    (stockId, quote) => this.values.quote(stockId, quote),
    this.backlogs,
  );
  readonly guard = new SplitGuard((stockId, held) => {
    this.stocks.setHalt(stockId, 'split_guard', held !== undefined);
    if (held) this.quotes.lost([stockId]);
  });
  private readonly known: KnownBooks;
  private readonly books: KnownBooks['committed'];
  private readonly values: KnownBooks['values'];
  private readonly triggers: KnownBooks['triggers'];

  constructor(
    private readonly hours: TradingHours,
    private readonly quoteFreshFor: number,
    { marketKind = 'unknown', publicUrl, books = new KnownBooks() }: LiveStateOptions = {},
  ) {
    this.known = books;
    ({ committed: this.books, values: this.values, triggers: this.triggers } = books);
    this.marketKind = marketKind;
    this.stocks = new StockDirectory(publicUrl);
  }

  private readonly source = (stockId: StockId): QuoteSource => ({
    market: this.marketKind,
    provider: this.stocks.find(stockId)?.provider ?? null,
  });

  /**
   * The market at `now`. With a moment: the quotes and the session at its receipt, without anything later. But a quote that is
   * stale at `now` trades nothing.
   */
  market(now: Timestamp, moment?: Pick<Moment, 'place' | 'receivedAt'>): Market<Stock> {
    const { place, receivedAt } = moment ?? { place: Infinity, receivedAt: now };
    return this.marketAt(now, receivedAt, () => place);
  }

  /** `place`: that of the last quote to be seen at that moment. */
  private marketAt(now: Timestamp, receivedAt: Timestamp, place: () => number): Market<Stock> {
    return {
      now,
      quote: (stockId) => this.quotes.get(stockId, place()),
      stock: (stockId) => this.stocks.find(stockId),
      freshQuote: (stockId) => {
        const latest = this.quotes.standing(stockId, place());
        return latest && this.isFresh(latest, now) ? latest : undefined;
      },
      session: (stock) => this.hours.sessionAt(stock, receivedAt),
      source: this.source,
    };
  }

  /**
   * The market in which a change of the book is decided: without the moments that the book has not been matched with, also those that
   * come while it is decided.
   */
  marketOf(strategyId: StrategyId, now: Timestamp): Market<Stock> {
    return this.marketAt(now, now, () => this.backlogs.find(strategyId)?.knownUpTo() ?? Infinity);
  }

  /** The age of a quote from further ahead is not known: the clock was ahead when it came. */
  private isFresh({ at }: Quote, now: Timestamp): boolean {
    return Math.abs(now - at) <= this.quoteFreshFor;
  }

  /** The session in which orders can trade at the quote, if there is one. */
  private sessionOf(quote: Quote, now: Timestamp): Session | undefined {
    const stock = this.stocks.find(quote.stockId);
    const session = stock && this.hours.sessionAt(stock, now);
    const isTradable = session && this.isFresh(quote, now) && isOfSession(quote, session);
    return isTradable ? session : undefined;
  }

  /** The orders to match with this quote: none while the exchange is closed, or if nothing can trade at the quote. */
  concerned(quote: Quote, now: Timestamp): WaitingOrder[] {
    const session = this.sessionOf(quote, now);
    return session ? this.triggers.reached(quote, session.opensAt) : [];
  }

  /** Books with orders of the stock and a backlog. Only after the backlog is matched is it known which orders the quote concerns. */
  behind(quote: Quote, now: Timestamp): StrategyId[] {
    if (this.backlogs.size === 0 || !this.sessionOf(quote, now)) return [];
    const waiting = this.triggers.strategies(quote.stockId);
    return waiting.size < this.backlogs.size
      ? [...waiting.keys()].filter((strategyId) => this.backlogs.find(strategyId))
      : [...this.backlogs.strategies()].filter((strategyId) => waiting.has(strategyId));
  }

  /** Whether the strategy has an open order, also one that is not committed yet. */
  isWaiting(strategyId: StrategyId): boolean {
    return this.triggers.has(strategyId);
  }

  /** Strategies with an open order of the stock, also one that is not committed yet. */
  strategiesWaitingFor(stockId: StockId): StrategyId[] {
    return [...this.triggers.strategies(stockId).keys()];
  }

  /** The number of open orders of each stock that has any. */
  stocksWaitedFor(): ReadonlyMap<StockId, number> {
    return this.triggers.byStock();
  }

  /** Watches orders before their transaction is committed, so that they miss no quote meanwhile. */
  expect(changes: readonly BookChange[]): void {
    for (const { order } of changes) {
      if (order.status !== 'open') continue;
      this.triggers.put(order);
      this.meetLate(order);
    }
  }

  /** An order that was decided without the moments of its book's backlog meets the quotes of its stock that came among them, too. */
  private meetLate({ strategyId, stockId }: OpenOrder): void {
    const backlog = this.backlogs.find(strategyId);
    const known = backlog?.knownUpTo() ?? Infinity;
    if (!backlog || known === Infinity) return;
    for (const { place, receivedAt } of this.quotes.after(stockId, known))
      backlog.addLate({ place, receivedAt, stockId, due: [] });
  }

  /** Stops watching orders of the stock that are in no book. */
  unwatch(stockId: StockId, orderIds: readonly OrderId[]): void {
    for (const orderId of orderIds) this.triggers.remove({ id: orderId, stockId });
  }

  /** Takes a committed book. */
  commit(next: Book, changes: readonly BookChange[]): void {
    for (const { order } of changes) if (order.status !== 'open') this.triggers.remove(order);
    this.values.change(this.books.glance(next.strategyId), next);
    this.books.set(next);
  }

  /** The versions of the books that are in memory already, for the read of the others at the start. */
  bookVersions(): KnownVersions {
    return this.books.versions();
  }

  /** Takes the stored state at the start; of the books those that are not in memory as they are stored. */
  async restore({ stocks, quotes, splits, books }: StoredMarket, pause: Pause): Promise<void> {
    this.stocks.put(stocks);
    for (const { stockId, createdAt } of splits) this.quotes.wasSplit(stockId, createdAt);
    await this.known.enter(books, pause);
    // After the books: a quote values all holders of its stock in a fraction of the time that they would take one by one.
    for (const some of chunksOf(quotes, A_TURN)) {
      this.quotes.restore(some);
      await pause();
    }
  }

  /** Takes a new book. */
  load(book: Book): void {
    this.commit(book, []);
    this.rewatch(book.strategyId);
  }

  /** After a failed transaction: watches the open orders of the committed book again. */
  rewatch(strategyId: StrategyId): void {
    this.known.rewatch(strategyId);
  }

  /** The committed book. */
  book(strategyId: StrategyId): Book | undefined {
    return this.books.get(strategyId);
  }

  /** The same, for work that goes through all books. */
  glance(strategyId: StrategyId): Book | undefined {
    return this.books.glance(strategyId);
  }

  /** Every strategy that has a book, deleted ones too. */
  strategies(): StrategyId[] {
    return [...this.books.strategies()];
  }

  /** Strategies whose book holds the stock or has an open order of it, also one whose transaction is not committed yet. */
  strategiesConcerned(stockId: StockId): StrategyId[] {
    const waiting = this.strategiesWaitingFor(stockId);
    return [...new Set([...this.strategiesHolding(stockId), ...waiting])].toSorted();
  }

  strategiesHolding(stockId: StockId): Iterable<StrategyId> {
    return this.values.holders(stockId);
  }

  /** Strategies whose value is known and at or below zero, deleted ones too. */
  strategiesAtOrBelowZero(): Iterable<StrategyId> {
    return this.values.atOrBelowZero();
  }

  /** Whether the committed book holds something. */
  hasPositions(strategyId: StrategyId): boolean {
    return this.books.hasPositions(strategyId);
  }

  strategiesWithPositions(): StrategyId[] {
    return this.strategies().filter((strategyId) => this.hasPositions(strategyId));
  }

  /** The committed book's value; null while unavailable. */
  valueOf(strategyId: StrategyId, now: Timestamp): Decimal | null {
    const known = this.values.valueOf(strategyId);
    if (known) return known;
    const book = this.books.glance(strategyId);
    return (book && strategyValue(book, this.market(now))) ?? null;
  }

  /** The sum of |value| over the committed book's positions, by the quotes of `valueOf`; null while unavailable. */
  grossOf(strategyId: StrategyId, now: Timestamp): Decimal | null {
    const kept = this.books.kept(strategyId);
    const known = kept && this.values.grossOf(kept, (visit) => this.books.visitShorts(kept, visit));
    if (known) return known;
    const book = this.books.glance(strategyId);
    return (book && grossExposure(book, this.market(now))) ?? null;
  }
}
