import { close, closeTogether, copyOf, newBook, tell } from './book.js';
import { delist, dividend, split } from './actions.js';
import { type Exact, isPositive, rounded } from './exact.js';
import { execute, stockOf } from './execution.js';
import {
  type ModelBook,
  type ModelChange,
  type ModelMarket,
  type ModelOrder,
  type ModelStock,
  Refused,
} from './model.js';
import {
  type Allocation,
  type AlertPlan,
  type ModelAlert,
  type Planned,
  planAlert,
  closings,
  planAllocations,
} from './planning.js';
import {
  CLOSES_ONLY_AFTER,
  ENDS_AFTER,
  ENDS_UNDONE_WITHIN,
  closesOnly,
  isAtOrBelowZero,
  lasted,
  look,
} from './below-zero.js';
import { asIfFilled, onlyReduces, requireSize } from './sizing.js';

/** A change of a book: its events in order, and the new version. */
export interface ModelEvent {
  readonly strategy: number;
  readonly version: number;
  readonly changes: readonly ModelChange[];
}

export interface NewModelOrder {
  readonly stockId: string;
  readonly action: 'buy' | 'sell';
  readonly type: ModelOrder['type'];
  readonly price: Exact | null;
  readonly stopPrice: Exact | null;
  readonly amount: Exact | null;
  readonly total: Exact | null;
  readonly dependsOn: readonly ModelOrder[];
  readonly reduceOnly: boolean | undefined;
}

export interface IncomingQuote {
  readonly stockId: string;
  readonly bid: Exact;
  readonly ask: Exact;
  readonly last: Exact;
  readonly at: number;
}

/** A quote whose `at` is at most this far in the future counts as taken now (7b.6). */
const AHEAD = 5_000;
/** How often strategies at or below zero, and holdings of ended ones, are searched for. */
const SEARCH_EVERY = 5_000;
const CLOSE_EVERY = 60_000;
/** How often the time at or below zero is stored, beside each change of phase. */
const STORED_EVERY = 60_000;

/** Sections 3 and 7b of the contract, implemented naively: no index, no cache, every order against every quote, exact fractions. */
export class ReferenceEngine {
  readonly books: readonly ModelBook[];
  readonly events: ModelEvent[] = [];
  private searchedAt = -Infinity;
  private closedAt = -Infinity;

  constructor(
    readonly market: ModelMarket,
    securities: readonly ModelStock['security'][],
  ) {
    this.books = securities.map(newBook);
  }

  book(strategy: number): ModelBook {
    const book = this.books[strategy];
    if (!book) throw new Error(`there is no strategy ${strategy}`);
    return book;
  }

  private goingOn(strategy: number): ModelBook {
    const book = this.book(strategy);
    if (book.endedAt !== null) throw new Refused('it is over');
    return book;
  }

  /** One command gives one version. */
  private commit(strategy: number, isChanged = false): void {
    const book = this.book(strategy);
    if (book.changes.length === 0 && !isChanged) return;
    book.version += 1;
    this.events.push({ strategy, version: book.version, changes: book.changes });
    book.changes = [];
  }

  newOrder(strategy: number, asked: NewModelOrder): void {
    const book = this.goingOn(strategy);
    const { market } = this;
    const stock = stockOf(market, asked.stockId);
    if (stock.security !== book.security) throw new Refused('of another type');
    if (stock.status === 'delisted') throw new Refused('delisted');
    const { price, stopPrice } = asked;
    if (asked.type === 'oco' && price && stopPrice) {
      const isRight = asked.action === 'buy' ? price.lt(stopPrice) : price.gt(stopPrice);
      if (!isRight) throw new Refused('the prices of an OCO');
    }
    if (asked.dependsOn.some(({ status }) => status === 'cancelled' || status === 'rejected'))
      throw new Refused('a prerequisite that is gone');
    const dependsOn = asked.dependsOn.filter(({ status }) => status === 'open');
    const later = asIfFilled(book, dependsOn, market);
    const reduces = onlyReduces(later, asked, market);
    const isBound = closesOnly(book, market);
    const reduceOnly = asked.reduceOnly ?? (asked.dependsOn.length > 0 && reduces);
    const closes = reduceOnly || reduces ? isBound : requireSize(later, asked, market, isBound);
    const { stockId, action, type, amount, total } = asked;
    this.open(strategy, [
      this.opened(
        { stockId, action, type, price, stopPrice, amount, total },
        {
          dependsOn,
          reduceOnly: closes || reduceOnly,
          isPlanned: false,
          isExit: false,
        },
      ),
    ]);
    this.commit(strategy);
  }

  private opened(
    asked: Omit<NewModelOrder, 'dependsOn' | 'reduceOnly'>,
    terms: Pick<ModelOrder, 'dependsOn' | 'reduceOnly' | 'isPlanned' | 'isExit'>,
  ): ModelOrder {
    return {
      ...asked,
      ...terms,
      id: '',
      createdAt: this.market.now,
      triggeredAt: null,
      restingSince: null,
      status: 'open',
      closedAt: null,
      fill: null,
    };
  }

  private open(strategy: number, orders: readonly ModelOrder[]): void {
    const book = this.book(strategy);
    book.orders = [...book.orders, ...orders];
    for (const order of orders) tell(book, 'opened', order);
    execute(book, this.market, new Set(orders));
  }

  private replace(strategy: number, planned: readonly Planned[]): void {
    const book = this.book(strategy);
    closeTogether(book, book.orders, 'cancelled', this.market.now);
    this.place(strategy, planned);
  }

  private place(strategy: number, planned: readonly Planned[]): void {
    const orders = new Map<Planned, ModelOrder>();
    for (const each of planned) {
      const dependsOn = each.dependsOn.flatMap((one) => orders.get(one) ?? []);
      const { stockId, action, amount, reduceOnly = false, isExit = false } = each;
      const asked = { stockId, action, amount, type: 'market', price: null } as const;
      orders.set(
        each,
        this.opened(
          { ...asked, stopPrice: null, total: null },
          { dependsOn, reduceOnly, isPlanned: true, isExit },
        ),
      );
    }
    this.open(strategy, [...orders.values()]);
    this.commit(strategy);
  }

  newOrderAllocations(strategy: number, targets: readonly Allocation[], slippage: Exact): void {
    const book = this.goingOn(strategy);
    const isBound = closesOnly(book, this.market);
    this.replace(strategy, planAllocations(book, targets, slippage, this.market, isBound));
  }

  newOrderWebhook(strategy: number, alert: ModelAlert): AlertPlan['verdict'] {
    const book = this.goingOn(strategy);
    const plan = planAlert(book, alert, this.market, closesOnly(book, this.market));
    if (plan.cancels) this.replace(strategy, plan.orders);
    return plan.verdict;
  }

  deleteOrder(strategy: number, order: ModelOrder): void {
    const book = this.goingOn(strategy);
    if (order.status !== 'open') throw new Refused('not open');
    const due = new Set(close(book, order, 'cancelled', this.market.now));
    execute(book, this.market, due);
    this.commit(strategy);
  }

  /** Returns which quotes were accepted. Quotes that arrive together are judged by the books before them. */
  quotes(received: readonly IncomingQuote[]): boolean[] {
    const before = this.books.map(copyOf);
    return received.map((quote) => this.quote(quote, before));
  }

  /** Matches every order of the stock with the quote, even if another quote follows. */
  private quote(
    { stockId, bid, ask, last, at }: IncomingQuote,
    before: readonly ModelBook[],
  ): boolean {
    const { market } = this;
    const stock = stockOf(market, stockId);
    if (![bid, ask, last].every(isPositive) || bid.gt(ask)) return false;
    if (at > market.now + AHEAD) return false;
    const since = Math.min(at, market.now);
    if (stock.splitAt !== undefined && since < stock.splitAt) return false;
    if (stock.quote && stock.quote.at > since) return false;
    stock.quote = { bid, ask, at: since };
    this.books.forEach((book, strategy) => {
      const known = before[strategy];
      if (known?.positions.has(stockId)) look(book, market, known);
    });
    this.matchAll(stock);
    return true;
  }

  private matchAll({ id }: ModelStock): void {
    this.books.forEach((book, strategy) => {
      execute(book, this.market, new Set(book.orders.filter(({ stockId }) => stockId === id)));
      this.commit(strategy);
    });
  }

  setStatus(stockId: string, status: 'active' | 'halted'): void {
    const stock = stockOf(this.market, stockId);
    stock.status = status;
    if (status === 'active') this.matchAll(stock);
  }

  split(stockId: string, ratio: Exact): void {
    const { now } = this.market;
    const stock = stockOf(this.market, stockId);
    this.books.forEach((book, strategy) => this.commit(strategy, split(book, stock, ratio, now)));
    stock.splitAt = now;
    const { quote } = stock;
    if (!quote) return;
    const divided = (price: Exact): Exact => rounded(price.div(ratio));
    stock.quote = { bid: divided(quote.bid), ask: divided(quote.ask), at: quote.at };
  }

  dividend(stockId: string, figure: Exact): void {
    const stock = stockOf(this.market, stockId);
    this.books.forEach((book, strategy) => this.commit(strategy, dividend(book, stock, figure)));
  }

  delist(stockId: string, price: Exact): void {
    const stock = stockOf(this.market, stockId);
    stock.status = 'delisted';
    this.books.forEach((book, strategy) => {
      const released = delist(book, stock, price, this.market);
      if (!released) return;
      execute(book, this.market, new Set(released));
      this.commit(strategy, true);
    });
  }

  /** Does the work that is due by time: strategies at or below zero can only close, and then end (7b.9). */
  tick(): void {
    const { market, books } = this;
    const { now } = market;
    if (now - this.searchedAt >= SEARCH_EVERY) {
      this.searchedAt = now;
      for (const book of books)
        if (book.endedAt === null && isAtOrBelowZero(book, market)) book.sunk ??= [];
    }
    books.forEach((book, strategy) => {
      // Stored counts are checked until they end.
      if (book.endedAt === null && book.belowZeroFor > 0) book.sunk ??= [];
      look(book, market);
      const [time, stored] = [lasted(book, now), book.belowZeroFor];
      if (book.endedAt !== null) return;
      if (time >= ENDS_AFTER) {
        this.end(strategy);
        return;
      }
      const [is, was] = [time, stored].map((one) => one >= CLOSES_ONLY_AFTER);
      if (is !== was || time - stored >= STORED_EVERY) book.belowZeroFor = time;
      if (is && !was) this.bind(strategy);
    });
    if (now - this.closedAt < CLOSE_EVERY) return;
    this.closedAt = now;
    books.forEach((book, strategy) => {
      if (book.endedAt !== null) this.place(strategy, closings(book, market));
    });
  }

  /** Limits reducing orders to the holding, and cancels the others. */
  private bind(strategy: number): void {
    const book = this.book(strategy);
    const { market } = this;
    const gone = book.orders.filter(
      (order) => !order.reduceOnly && !onlyReduces(book, order, market),
    );
    const bound = book.orders.filter((order) => !order.reduceOnly && !gone.includes(order));
    for (const order of bound) order.reduceOnly = true;
    const due = closeTogether(book, gone, 'cancelled', market.now);
    const released = book.changes.filter(({ kind }) => kind === 'released');
    for (const order of bound)
      if (!released.some((change) => change.order === order)) tell(book, 'adjusted', order);
    execute(book, market, new Set(due));
    this.commit(strategy);
  }

  /** Cancels open orders and closes the holdings that can trade. */
  private end(strategy: number): void {
    const book = this.book(strategy);
    const { now } = this.market;
    book.belowZeroFor = lasted(book, now);
    book.endedAt = now;
    book.sunk = undefined;
    const free = { ...book, orders: [] };
    this.replace(strategy, closings(free, this.market));
  }

  /** The operator undoes an end; the waiting closing orders are cancelled. */
  undoEnd(strategy: number): void {
    const book = this.book(strategy);
    const { now } = this.market;
    if (book.endedAt === null) throw new Refused('it is not over');
    if (now - book.endedAt > ENDS_UNDONE_WITHIN) throw new Refused('too late');
    book.endedAt = null;
    book.belowZeroFor = 0;
    closeTogether(book, book.orders, 'cancelled', now);
    this.commit(strategy);
  }
}
