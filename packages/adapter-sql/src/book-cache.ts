import type { Book, StrategyId } from '@slipstream/domain';
import type { Books } from './session.js';

/** Books are immutable values of which this process is the only writer, so the committed ones stay in memory. */
export interface BookCache {
  /** What a group of works sees: the committed books under its own. */
  openGroup(): GroupBooks;
  /** What a read sees while `isCurrent`: beyond that it is of an earlier moment than the cache. */
  forRead(isCurrent: () => boolean): Books;
}

export interface GroupBooks extends Books {
  /** The group's books are committed. */
  promote(): void;
  /** They are not; what is stored is loaded anew. */
  forget(): void;
}

export function bookCache(): BookCache {
  const committed = new Map<StrategyId, Book>();

  return {
    openGroup() {
      const own = new Map<StrategyId, Book>();
      return {
        get: (strategyId) => own.get(strategyId) ?? committed.get(strategyId),
        read: (book) => {
          if (!own.has(book.strategyId)) committed.set(book.strategyId, book);
        },
        written: (book) => void own.set(book.strategyId, book),
        promote: () => {
          for (const [strategyId, book] of own) committed.set(strategyId, book);
          own.clear();
        },
        forget: () => {
          for (const strategyId of own.keys()) committed.delete(strategyId);
          own.clear();
        },
      };
    },

    forRead: (isCurrent) => ({
      get: (strategyId) => (isCurrent() ? committed.get(strategyId) : undefined),
      read: (book) => {
        if (isCurrent() && !committed.has(book.strategyId)) committed.set(book.strategyId, book);
      },
      written: () => undefined,
    }),
  };
}
