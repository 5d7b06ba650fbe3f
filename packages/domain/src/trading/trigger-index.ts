import type { OrderId, StockId, StrategyId, Timestamp } from '../ids.js';
import type { OpenOrder } from './order.js';
import { type Watch, watchesOf } from './order-types/index.js';
import { PriceHeap, type HeapEntry } from './price-heap.js';
import type { Quote } from '../market/stock.js';

/** The order and its strategy, by which a tick finds the book. */
export interface WaitingOrder {
  readonly strategyId: StrategyId;
  readonly orderId: OrderId;
}

const isReached = (watch: Watch, { ask, bid }: Quote): boolean => {
  switch (watch.on) {
    case 'any':
      return true;
    case 'ask_at_most':
      return ask.lte(watch.price);
    case 'ask_at_least':
      return ask.gte(watch.price);
    case 'bid_at_most':
      return bid.lte(watch.price);
    case 'bid_at_least':
      return bid.gte(watch.price);
  }
};

/** Whether the quote must be matched against the order: the answer of a `TriggerIndex` that contains it. */
export const isConcerned = (order: OpenOrder, quote: Quote): boolean =>
  order.stockId === quote.stockId && watchesOf(order).some((watch) => isReached(watch, quote));

/** A waiting order at one of its prices. */
interface WaitingEntry extends HeapEntry {
  readonly waiting: WaitingOrder;
  readonly heap: PriceHeap<WaitingEntry>;
}

interface Watched {
  readonly waiting: WaitingOrder;
  readonly watchesAny: boolean;
  /** Since when its limit rests; null also while a prerequisite is open. */
  readonly restingSince: Timestamp | null;
  readonly entries: readonly WaitingEntry[];
}

/** The waiting orders of one stock. */
class StockWatch {
  /** The opening of the session of its last quote. */
  private openedAt: Timestamp = -Infinity;
  private readonly all = new Map<OrderId, Watched>();
  private readonly any = new Map<OrderId, WaitingOrder>();
  private readonly heaps = {
    ask_at_most: new PriceHeap<WaitingEntry>(true),
    ask_at_least: new PriceHeap<WaitingEntry>(false),
    bid_at_most: new PriceHeap<WaitingEntry>(true),
    bid_at_least: new PriceHeap<WaitingEntry>(false),
  };

  add(order: OpenOrder): void {
    const waiting = { strategyId: order.strategyId, orderId: order.id };
    const watches = watchesOf(order);
    const entries = watches.flatMap((watch): WaitingEntry[] => {
      if (watch.on === 'any') return [];
      const heap = this.heaps[watch.on];
      const entry = { waiting, price: watch.price, heap, gone: false };
      heap.add(entry);
      return [entry];
    });
    const watchesAny = watches.some(({ on }) => on === 'any');
    const restingSince = entries.length > 0 ? order.restingSince : null;
    const watched = { waiting, watchesAny, restingSince, entries };
    this.all.set(order.id, watched);
    this.watchAny(watched);
  }

  /** A limit that rests since before the opening has met no quote of the session yet, so each concerns it. */
  private watchAny({ waiting, watchesAny, restingSince }: Watched): void {
    if (watchesAny || (restingSince !== null && restingSince < this.openedAt))
      this.any.set(waiting.orderId, waiting);
    else this.any.delete(waiting.orderId);
  }

  /** Returns the order of the removed entries. */
  remove(orderId: OrderId): WaitingOrder | undefined {
    const watched = this.all.get(orderId);
    if (!watched) return undefined;
    this.all.delete(orderId);
    this.any.delete(orderId);
    for (const entry of watched.entries) entry.heap.remove(entry);
    return watched.waiting;
  }

  reached({ ask, bid }: Quote): WaitingOrder[] {
    const found: WaitingOrder[] = [...this.any.values()];
    const visit = ({ waiting }: WaitingEntry): void => void found.push(waiting);
    this.heaps.ask_at_most.reached(ask, visit);
    this.heaps.ask_at_least.reached(ask, visit);
    this.heaps.bid_at_most.reached(bid, visit);
    this.heaps.bid_at_least.reached(bid, visit);
    // Both sides of an OCO may be reached; it is visited once.
    return found.length > 1 ? [...new Set(found)] : found;
  }

  /** The stock is quoted in the session that began then. */
  inSession(openedAt: Timestamp): void {
    if (openedAt === this.openedAt) return;
    this.openedAt = openedAt;
    for (const watched of this.all.values())
      if (watched.restingSince !== null) this.watchAny(watched);
  }
}

const NOBODY: ReadonlyMap<StrategyId, number> = new Map();

/** How many orders each strategy has. */
class Counts {
  private readonly byStrategy = new Map<StrategyId, number>();

  count(strategyId: StrategyId, more: 1 | -1): void {
    const next = (this.byStrategy.get(strategyId) ?? 0) + more;
    if (next === 0) this.byStrategy.delete(strategyId);
    else this.byStrategy.set(strategyId, next);
  }

  get strategies(): ReadonlyMap<StrategyId, number> {
    return this.byStrategy;
  }
}

/**
 * The waiting orders that a quote may move, by stock and price. It may contain too many (orders that are gone when their
 * book is matched), never too few.
 */
export class TriggerIndex {
  private readonly stocks = new Map<
    StockId,
    { readonly watch: StockWatch; readonly counts: Counts }
  >();
  private readonly counts = new Counts();

  private ofStockId(stockId: StockId) {
    const found = this.stocks.get(stockId) ?? { watch: new StockWatch(), counts: new Counts() };
    this.stocks.set(stockId, found);
    return found;
  }

  /** Adds the order, or updates the prices that it waits for. */
  put(order: OpenOrder): void {
    const { stockId, strategyId, id: orderId } = order;
    const { watch, counts } = this.ofStockId(stockId);
    if (!watch.remove(orderId)) {
      counts.count(strategyId, 1);
      this.counts.count(strategyId, 1);
    }
    watch.add(order);
  }

  remove(order: { readonly id: OrderId; readonly stockId: StockId }): void {
    const stock = this.stocks.get(order.stockId);
    const removed = stock?.watch.remove(order.id);
    if (!stock || !removed) return;
    stock.counts.count(removed.strategyId, -1);
    this.counts.count(removed.strategyId, -1);
  }

  /**
   * The orders that must be matched against this quote of the session that began at `openedAt`. A limit order that rests since an
   * earlier session is one of them until it is put again, with the mark that it has met a quote of this one.
   */
  reached(quote: Quote, openedAt: Timestamp): WaitingOrder[] {
    const watch = this.stocks.get(quote.stockId)?.watch;
    watch?.inSession(openedAt);
    return watch?.reached(quote) ?? [];
  }

  /** Strategies with orders of the stock, including orders that wait for a prerequisite, with their number. */
  strategies(stockId: StockId): ReadonlyMap<StrategyId, number> {
    return this.stocks.get(stockId)?.counts.strategies ?? NOBODY;
  }

  /** The number of orders of each stock that has any. */
  byStock(): ReadonlyMap<StockId, number> {
    const found = new Map<StockId, number>();
    for (const [stockId, { counts }] of this.stocks) {
      let orders = 0;
      for (const count of counts.strategies.values()) orders += count;
      if (orders > 0) found.set(stockId, orders);
    }
    return found;
  }

  /** Whether the strategy has an order of any stock. */
  has(strategyId: StrategyId): boolean {
    return this.counts.strategies.has(strategyId);
  }
}
