import type { Quote, Stock } from '@slipstream/domain';

/** Keeps the instruments. `save` adds or replaces by id. */
export interface StockStore {
  /** All stocks, by id. */
  all(): Promise<Stock[]>;
  save(stocks: readonly Stock[]): Promise<void>;
}

/** Keeps the last quote of each stock across a restart. */
export interface QuoteStore {
  /** All quotes, by `stockId`. */
  all(): Promise<Quote[]>;
  save(quotes: readonly Quote[]): Promise<void>;
}
