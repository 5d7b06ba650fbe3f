import type { Decimal } from './decimal.js';
import type { OrderId, StockId, StrategyId } from './ids.js';
import type { OpenOrder } from './order.js';
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

interface Priced extends WaitingOrder {
  readonly price: Decimal;
}

/** Sorted so that those a quote reaches stand at the end: a tick costs what it triggers, not what waits. */
class Ladder {
  private readonly rungs: Priced[] = [];
  /** `rising` ladders fire from the highest price down, falling ones from the lowest up. */
  constructor(private readonly rising: boolean) {}

  private position(price: Decimal): number {
    let low = 0;
    let high = this.rungs.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      const order = (this.rungs[middle] as Priced).price.cmp(price);
      if (this.rising ? order < 0 : order > 0) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  add(rung: Priced): void {
    this.rungs.splice(this.position(rung.price), 0, rung);
  }

  remove(orderId: OrderId, price: Decimal): void {
    for (let at = this.position(price); this.rungs[at]?.price.eq(price); at += 1) {
      if (this.rungs[at]?.orderId === orderId) {
        this.rungs.splice(at, 1);
        return;
      }
    }
  }

  reached(price: Decimal, into: Map<OrderId, WaitingOrder>): void {
    for (let at = this.rungs.length - 1; at >= 0; at -= 1) {
      const rung = this.rungs[at] as Priced;
      if (this.rising ? rung.price.lt(price) : rung.price.gt(price)) return;
      into.set(rung.orderId, rung);
    }
  }
}

/** The waiting orders of one stock. */
class StockWatch {
  readonly all = new Map<
    OrderId,
    { readonly waiting: WaitingOrder; readonly watches: readonly Watch[] }
  >();
  private readonly any = new Map<OrderId, WaitingOrder>();
  private readonly ladders = {
    ask_at_most: new Ladder(true),
    ask_at_least: new Ladder(false),
    bid_at_most: new Ladder(true),
    bid_at_least: new Ladder(false),
  };

  add(waiting: WaitingOrder, on: readonly Watch[]): void {
    this.all.set(waiting.orderId, { waiting, watches: on });
    for (const watch of on) {
      if (watch.on === 'any') this.any.set(waiting.orderId, waiting);
      else this.ladders[watch.on].add({ ...waiting, price: watch.price });
    }
  }

  remove(orderId: OrderId): void {
    for (const watch of this.all.get(orderId)?.watches ?? []) {
      if (watch.on === 'any') this.any.delete(orderId);
      else this.ladders[watch.on].remove(orderId, watch.price);
    }
    this.all.delete(orderId);
  }

  reached({ ask, bid }: Quote): Map<OrderId, WaitingOrder> {
    const found = new Map(this.any);
    this.ladders.ask_at_most.reached(ask, found);
    this.ladders.ask_at_least.reached(ask, found);
    this.ladders.bid_at_most.reached(bid, found);
    this.ladders.bid_at_least.reached(bid, found);
    return found;
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
    return stock ? [...stock.reached(quote).values()] : [];
  }

  /** Every order of a stock that has no open prerequisite: all meet the first quote of a session. */
  ofStock(stockId: StockId): WaitingOrder[] {
    const all = this.stocks.get(stockId)?.all.values() ?? [];
    return [...all].filter(({ watches: on }) => on.length > 0).map(({ waiting }) => waiting);
  }
}
