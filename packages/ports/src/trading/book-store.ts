import type {
  Book,
  BookChange,
  Order,
  OrderId,
  OrderStatus,
  StrategyId,
  Trade,
} from '@slipstream/domain';
import type { Page } from '../storage/page.js';

/** Keeps books; what is found is exactly what was saved, to the last decimal. */
export interface BookStore {
  find(strategyId: StrategyId): Promise<Book | undefined>;
  /** Every book, for start-up; in any order, which stays when a book is saved again. */
  all(): Promise<Book[]>;
  /**
   * Saves the next book together with the orders and trades of the changes that led to it; every open order of the book
   * is saved as it is, also one that no change names. Throws when the stored book's version is not the one before (0 changes:
   * the same will do, a new book has any), when changes lead to a book that was never stored, and when an open order of the
   * stored book is neither in the next one nor in a change.
   */
  save(book: Book, changes: readonly BookChange[]): Promise<void>;
}

/** The record of all orders, written by `BookStore.save`. */
export interface OrderStore {
  find(orderId: OrderId): Promise<Order | undefined>;
  /** Newest first, ties by the later id. */
  list(strategyId: StrategyId, status: OrderStatus, page: Page): Promise<Order[]>;
}

/** The record of all fills, written by `BookStore.save`; append-only. */
export interface TradeStore {
  /** Newest first, ties by the later id. */
  list(strategyId: StrategyId, page: Page): Promise<Trade[]>;
  /** Every fill of a strategy, oldest first, ties by id: the ledger. */
  ledger(strategyId: StrategyId): Promise<Trade[]>;
}
