import type { DailyClose, StockId } from '@slipstream/domain';

/** Keeps the last price of each stock on each UTC day for ever (contract 9). */
export interface DailyCloseStore {
  /** The closes of the stock on days after `day`, oldest first. */
  listAfter(stockId: StockId, day: number, limit: number): Promise<DailyClose[]>;
  /** Adds or replaces by stock and day. */
  save(closes: readonly DailyClose[]): Promise<void>;
}
