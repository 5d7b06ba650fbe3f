import {
  type PackedBook,
  Revaluation,
  type StrategyId,
  TriggerIndex,
  unpackBook,
} from '@slipstream/domain';
import type { Pause, UnitOfWork } from '@slipstream/ports';
import { finished } from '../finished.js';
import { CommittedBooks } from './committed-books.js';

/** 10 KB each; the others take less than 2 KB. */
const BOOKS_AT_HAND = 5_000;
/** The number of books that are entered before other work runs: about a millisecond. */
const A_TURN = 20;

/**
 * Every committed book in memory, with what follows from it: the strategy's value, and the open orders that wait for quotes. A
 * process that takes over from another one reads them before; then its start reads only what changed.
 */
export class KnownBooks {
  readonly values = new Revaluation();
  readonly triggers = new TriggerIndex();
  readonly committed: CommittedBooks;

  /** `booksAtHand`: how many books are kept unpacked. */
  constructor(booksAtHand = BOOKS_AT_HAND) {
    this.committed = new CommittedBooks(booksAtHand, this.values.stocks);
  }

  /** Reads the books that are stored in another version than is known. */
  async catchUp(unitOfWork: Pick<UnitOfWork, 'read'>, pause: Pause): Promise<void> {
    await this.enter(
      await unitOfWork.read(({ books }) => books.all(this.committed.versions())),
      pause,
    );
  }

  /** Takes stored books, each in place of the one that was known. Other work runs in between, since there may be many. */
  async enter(books: readonly PackedBook[], pause: Pause): Promise<void> {
    for (const [place, book] of books.entries()) {
      if (place % A_TURN === A_TURN - 1) await pause();
      const { strategyId } = book;
      const before = this.committed.glance(strategyId);
      if (before) this.values.change(before, unpackBook(book));
      for (const order of before?.openOrders ?? []) this.triggers.remove(order);
      this.committed.enter(book, before ? undefined : this.values.enter(book));
      this.rewatch(strategyId);
    }
    await finished(this.values.countEntered(), pause);
  }

  /** Watches the open orders of the committed book. */
  rewatch(strategyId: StrategyId): void {
    for (const order of this.committed.openOrders(strategyId)) this.triggers.put(order);
  }
}
