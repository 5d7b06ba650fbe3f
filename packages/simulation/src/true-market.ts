import { type Market, type Quote, type Stock, type StockId, isUsable } from '@slipstream/domain';
import type { Clock, TradingHours } from '@slipstream/ports';

/** Prices as they really are: what the broker trades at, and what the core was told of them. */
export interface TrueMarket {
  /** A quote happens. */
  put(quote: Quote): void;
  latest(stockId: string): Quote | undefined;
  /** Every usable quote of the stock, as they came: a core that lost a later one may trade at an earlier one. */
  history(stockId: string): readonly Quote[];
  /** As the broker sees it. */
  view(): Market;
}

/** Longer than any quote may be traded at (contract 3). */
export const FRESH_FOR = 60_000;

export function trueMarket(
  stocks: () => ReadonlyMap<string, Stock>,
  hours: TradingHours,
  clock: Clock,
): TrueMarket {
  const all = new Map<string, Quote[]>();
  const newest = new Map<string, Quote>();
  const latest = (stockId: string): Quote | undefined => newest.get(stockId);
  return {
    put(quote) {
      const { stockId } = quote;
      if (!isUsable(quote) || quote.at > clock.now()) return;
      all.set(stockId, [...(all.get(stockId) ?? []), quote]);
      const before = latest(stockId);
      if (!before || before.at <= quote.at) newest.set(stockId, quote);
    },
    latest,
    history: (stockId) => all.get(stockId) ?? [],
    view() {
      const now = clock.now();
      return {
        now,
        stock: (stockId: StockId) => stocks().get(stockId),
        quote: latest,
        freshQuote: (stockId: StockId) => {
          const quote = latest(stockId);
          return quote && now - quote.at <= FRESH_FOR ? quote : undefined;
        },
        session: (stock: Stock) => hours.sessionAt(stock, now),
      };
    },
  };
}
