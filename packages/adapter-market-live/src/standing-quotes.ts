import { type Quote, type StockId, type Timestamp, hasPassed } from '@slipstream/domain';

/** A quote that does not change is said again after this time, before it could seem stale (contract 3). */
const SAID_AGAIN = 20_000;

/** The latest quotes of a source, and which of them its listener takes for standing. */
export interface StandingQuotes {
  /** Takes the newest quote of its stock. It stands until that moment at most, whatever is heard of its stock meanwhile. */
  put(quote: Quote, until: Timestamp): void;
  /** Withdraws the quote of the stock. */
  remove(stockId: StockId): void;
  /** Withdraws the quotes whose time is over. */
  expire(now: Timestamp): void;
  /** The connection of all quotes has ended: they stand until that moment, and none of them is said again. */
  leave(until: Timestamp): void;
  /** Whether any quote is kept. */
  isEmpty(): boolean;
  /** The quotes that are new, and those to say again: they were proved to stand at `provedAt`. Those that it is undefined of wait. */
  due(now: Timestamp, provedAt: (stockId: StockId) => Timestamp | undefined): Quote[];
  /** The stocks whose published quotes were withdrawn since the last call, or stand no longer by `stands`. */
  withdrawn(now: Timestamp, stands: (stockId: StockId) => boolean): StockId[];
}

export function standingQuotes(): StandingQuotes {
  const latest = new Map<StockId, Quote>();
  const untilOf = new Map<StockId, Timestamp>();
  const saidAt = new Map<StockId, Timestamp>();
  /** Published, and standing until that moment. */
  const published = new Map<StockId, Timestamp>();
  const remove = (stockId: StockId): void => {
    latest.delete(stockId);
    if (published.has(stockId)) published.set(stockId, -Infinity);
  };
  return {
    put(quote, until) {
      latest.set(quote.stockId, quote);
      untilOf.set(quote.stockId, until);
      saidAt.delete(quote.stockId);
    },
    remove,
    expire(now) {
      for (const stockId of [...latest.keys()])
        if (now > (untilOf.get(stockId) ?? -Infinity)) remove(stockId);
    },
    isEmpty: () => latest.size === 0,
    leave(until) {
      latest.clear();
      for (const [stockId, earlier] of published) published.set(stockId, Math.min(earlier, until));
    },
    due(now, provedAt) {
      const due: Quote[] = [];
      for (const [stockId, quote] of latest) {
        if (!hasPassed(SAID_AGAIN, saidAt.get(stockId) ?? -Infinity, now)) continue;
        const at = provedAt(stockId);
        if (at === undefined) continue;
        due.push(saidAt.has(stockId) ? { ...quote, at } : quote);
        saidAt.set(stockId, now);
        published.set(stockId, Infinity);
      }
      return due;
    },
    withdrawn(now, stands) {
      const gone = [...published].flatMap(([stockId, until]) =>
        now <= until && stands(stockId) ? [] : [stockId],
      );
      for (const stockId of gone) {
        published.delete(stockId);
        // If its quote comes to stand again, it is said at once.
        if (saidAt.has(stockId)) saidAt.set(stockId, -Infinity);
      }
      return gone;
    },
  };
}
