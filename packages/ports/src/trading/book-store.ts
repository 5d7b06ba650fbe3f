import type {
  Book,
  BookChange,
  Order,
  OrderId,
  OrderStatus,
  PackedBook,
  StrategyId,
  Trade,
} from '@slipstream/domain';
import type { Page } from '../storage/page.js';

/** The versions of the books that the reader has. */
export type KnownVersions = ReadonlyMap<StrategyId, number>;

/** Keeps books. `find` returns exactly the book that was saved, to the last decimal. */
export interface BookStore {
  find(strategyId: StrategyId): Promise<Book | undefined>;
  /**
   * Every book at rest, for start-up; those that are stored in the version that `known` has are left out. The order is
   * arbitrary, but saving a book again does not change it.
   */
  all(known?: KnownVersions): Promise<PackedBook[]>;
  /**
   * Saves the next book together with the orders and trades of the changes that led to it; every open order of the book
   * is saved as it stands there, even if no change names it. Throws when the stored book does not have the version before (without changes
   * the same version is accepted, and a new book may have any), when changes lead to a book that was never stored, and when an open order of the
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
