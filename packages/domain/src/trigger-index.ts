import type { Decimal } from './decimal.js';
import type { OrderId, StockId, StrategyId } from './ids.js';
import type { OpenOrder } from './order.js';
import { PriceHeap, type Rung } from './price-heap.js';
import type { Quote } from './stock.js';

/** Whose order it is: what a tick needs to find the book. */
export interface WaitingOrder {
  readonly strategyId: StrategyId;
  readonly orderId: OrderId;
}

/** When a waiting order must look at a quote. */
type Watch =
  | { readonly on: 'any' }
  | {
      readonly on: 'ask_at_most' | 'ask_at_least' | 'bid_at_most' | 'bid_at_least';
      readonly price: Decimal;
    };

/** Nothing while a prerequisite is open; every quote until a limit rests; then only those that reach its price. */
function watches(order: OpenOrder): readonly Watch[] {
  const { pricing, action } = order;
  const fired = order.triggeredAt !== null;
  if (order.dependsOn.length > 0) return [];
  const limit = (price: Decimal): Watch =>
    order.restingSince === null
      ? { on: 'any' }
      : { on: action === 'buy' ? 'ask_at_most' : 'bid_at_least', price };
  const stop = (price: Decimal): Watch => ({
    on: action === 'buy' ? 'ask_at_least' : 'bid_at_most',
    price,
  });
  switch (pricing.type) {
    case 'market':
      return [{ on: 'any' }];
    case 'limit':
      return [limit(pricing.price)];
    case 'stop_market':
      return [fired ? { on: 'any' } : stop(pricing.stopPrice)];
    case 'stop_limit':
      return [fired ? limit(pricing.price) : stop(pricing.stopPrice)];
    case 'oco':
      return fired ? [{ on: 'any' }] : [limit(pricing.price), stop(pricing.stopPrice)];
  }
}

/** A waiting order at one of its prices. */
interface WaitingRung extends Rung {
  readonly waiting: WaitingOrder;
  readonly heap: PriceHeap<WaitingRung>;
}

interface Watched {
  readonly waiting: WaitingOrder;
  readonly watchesAny: boolean;
  readonly rungs: readonly WaitingRung[];
}

/** The waiting orders of one stock. */
class StockWatch {
  private readonly all = new Map<OrderId, Watched>();
  private readonly any = new Map<OrderId, WaitingOrder>();
  private readonly heaps = {
    ask_at_most: new PriceHeap<WaitingRung>(true),
    ask_at_least: new PriceHeap<WaitingRung>(false),
    bid_at_most: new PriceHeap<WaitingRung>(true),
    bid_at_least: new PriceHeap<WaitingRung>(false),
  };

  add(waiting: WaitingOrder, on: readonly Watch[]): void {
    const rungs: WaitingRung[] = [];
    let watchesAny = false;
    for (const watch of on) {
      if (watch.on === 'any') {
        watchesAny = true;
        this.any.set(waiting.orderId, waiting);
      } else {
        const heap = this.heaps[watch.on];
        const rung = { waiting, price: watch.price, heap, gone: false };
        heap.add(rung);
        rungs.push(rung);
      }
    }
    this.all.set(waiting.orderId, { waiting, watchesAny, rungs });
  }

  remove(orderId: OrderId): void {
    const watched = this.all.get(orderId);
    if (!watched) return;
    this.all.delete(orderId);
    if (watched.watchesAny) this.any.delete(orderId);
    for (const rung of watched.rungs) rung.heap.remove(rung);
  }

  reached({ ask, bid }: Quote): WaitingOrder[] {
    const found: WaitingOrder[] = [...this.any.values()];
    const tell = ({ waiting }: WaitingRung): void => void found.push(waiting);
    this.heaps.ask_at_most.reached(ask, tell);
    this.heaps.ask_at_least.reached(ask, tell);
    this.heaps.bid_at_most.reached(bid, tell);
    this.heaps.bid_at_least.reached(bid, tell);
    // Both legs of an OCO may be reached: it is told once.
    return found.length > 1 ? [...new Set(found)] : found;
  }

  waiting(): WaitingOrder[] {
    return [...this.all.values()]
      .filter(({ watchesAny, rungs }) => watchesAny || rungs.length > 0)
      .map(({ waiting }) => waiting);
  }
}

/**
 * Which waiting orders a quote may move, by stock and price. It may know too many (an order that is gone by the time
 * its book is looked at), never too few.
 */
export class TriggerIndex {
  private readonly stocks = new Map<StockId, StockWatch>();

  private watchOf(stockId: StockId): StockWatch {
    const found = this.stocks.get(stockId) ?? new StockWatch();
    this.stocks.set(stockId, found);
    return found;
  }

  /** Adds the order, or watches it anew when what it waits for has changed. */
  put(order: OpenOrder): void {
    const stock = this.watchOf(order.stockId);
    stock.remove(order.id);
    stock.add({ strategyId: order.strategyId, orderId: order.id }, watches(order));
  }

  remove(order: { readonly id: OrderId; readonly stockId: StockId }): void {
    this.stocks.get(order.stockId)?.remove(order.id);
  }

  /** The orders that must look at this quote. */
  reached(quote: Quote): WaitingOrder[] {
    const stock = this.stocks.get(quote.stockId);
    return stock ? stock.reached(quote) : [];
  }

  /** Every order of a stock that has no open prerequisite: all meet the first quote of a session. */
  ofStock(stockId: StockId): WaitingOrder[] {
    return this.stocks.get(stockId)?.waiting() ?? [];
  }
}
