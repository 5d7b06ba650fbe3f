import {
  type Book,
  type PackedBook,
  type StrategyId,
  packBook,
  unpackBook,
} from '@slipstream/domain';
import type { KnownVersions } from '@slipstream/ports';

type Kept = Book | PackedBook;

const isPacked = (book: Kept): book is PackedBook => typeof book.positions === 'string';

/** The committed books in memory. Those that were used last are at hand, the others packed. */
export class CommittedBooks {
  private readonly books = new Map<StrategyId, Kept>();
  /** The books at hand, the least recently used first; with their packed form if they are as they were unpacked. */
  private readonly atHand = new Map<StrategyId, PackedBook | undefined>();

  /** `most`: how many books are at hand. */
  constructor(private readonly most: number) {}

  /** Takes a book that rests. */
  enter(book: PackedBook): void {
    this.books.set(book.strategyId, book);
    this.atHand.delete(book.strategyId);
  }

  /** Takes the next book of a strategy. */
  set(book: Book): void {
    this.use(book, undefined);
  }

  get(strategyId: StrategyId): Book | undefined {
    const kept = this.books.get(strategyId);
    if (!kept) return undefined;
    if (!isPacked(kept)) {
      const packed = this.atHand.get(strategyId);
      return this.use(kept, packed);
    }
    return this.use(unpackBook(kept), kept);
  }

  /** The same, for work on all books: it does not come to hand in place of those that are used. */
  glance(strategyId: StrategyId): Book | undefined {
    const kept = this.books.get(strategyId);
    return kept && isPacked(kept) ? unpackBook(kept) : kept;
  }

  versions(): KnownVersions {
    const versions = new Map<StrategyId, number>();
    for (const [strategyId, { version }] of this.books) versions.set(strategyId, version);
    return versions;
  }

  /** The strategies that have a book. */
  strategies(): Iterable<StrategyId> {
    return this.books.keys();
  }

  openOrders(strategyId: StrategyId): Book['openOrders'] {
    return this.books.get(strategyId)?.openOrders ?? [];
  }

  hasPositions(strategyId: StrategyId): boolean {
    const positions = this.books.get(strategyId)?.positions ?? '';
    return (typeof positions === 'string' ? positions.length : positions.size) > 0;
  }

  private use(book: Book, packed: PackedBook | undefined): Book {
    const { strategyId } = book;
    this.books.set(strategyId, book);
    this.atHand.delete(strategyId);
    this.atHand.set(strategyId, packed);
    for (const [oldest, known] of this.atHand) {
      if (this.atHand.size <= this.most) break;
      this.atHand.delete(oldest);
      const used = this.books.get(oldest);
      if (used && !isPacked(used)) this.books.set(oldest, known ?? packBook(used));
    }
    return book;
  }
}
