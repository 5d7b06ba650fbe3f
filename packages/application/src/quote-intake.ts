import { type OrderId, type Quote, type StrategyId, settle } from '@slipstream/domain';
import { changeBook } from './change-book.js';
import type { Core } from './core.js';

/** Orders of one book that a quote concerns. */
interface Concern {
  readonly strategyId: StrategyId;
  readonly quote: Quote;
  readonly due: ReadonlySet<OrderId>;
}

export interface QuoteIntake {
  /**
   * Takes quotes in order of receipt: they stand at once, and each order that one concerns meets that very quote, even
   * when a later one has come by the time its book is changed. Resolves when those books are. Answers why a quote was
   * dropped, by its index.
   */
  receive(quotes: readonly Quote[]): Promise<ReadonlyMap<number, string>>;
  /** Tries again what a storage fault kept from being settled. */
  retry(): Promise<void>;
}

export function quoteIntake(core: Core): QuoteIntake {
  const { floor, clock, ids, log, watch } = core;
  let unsettled: Concern[] = [];

  const concernsOf = (quote: Quote): Concern[] => {
    const books = new Map<StrategyId, Set<OrderId>>();
    for (const { strategyId, orderId } of floor.concerned(quote, clock.now())) {
      books.set(strategyId, (books.get(strategyId) ?? new Set<OrderId>()).add(orderId));
    }
    return [...books].map(([strategyId, due]) => ({ strategyId, quote, due }));
  };

  const settleOne = async (concern: Concern): Promise<void> => {
    const { strategyId, quote, due } = concern;
    try {
      const { book } = await changeBook(core)(
        strategyId,
        (before, market) => settle(before, market, () => ids.next(), due),
        quote,
      );
      const open = new Set(book.openOrders.map((order) => order.id));
      // What was expected of a transaction that failed is nobody's order.
      floor.unwatch(
        quote.stockId,
        [...due].filter((orderId) => !open.has(orderId)),
      );
    } catch (error) {
      unsettled.push(concern);
      log.error(
        { strategyId, stockId: quote.stockId, error },
        'a quote was not settled; it is tried again',
      );
    }
  };

  return {
    async receive(quotes) {
      const dropped = new Map<number, string>();
      const concerns: Concern[] = [];
      quotes.forEach((quote, index) => {
        const reason = floor.stocks.find(quote.stockId)
          ? floor.quotes.put(quote, clock.now())
          : 'the stock does not exist';
        if (reason !== undefined) dropped.set(index, reason);
        else concerns.push(...concernsOf(quote));
      });
      watch.quotesChanged(quotes);
      if (concerns.length > 0) await Promise.all(concerns.map(settleOne));
      return dropped;
    },
    async retry() {
      const again = unsettled;
      unsettled = [];
      await Promise.all(again.map(settleOne));
    },
  };
}
