import {
  type Book,
  type PackedBook,
  type StockId,
  type StrategyId,
  StockNumbers,
  ZERO,
  packBookBy,
  renamed,
  unpackBookBy,
  visitShorts,
} from '@slipstream/domain';
import type { KnownVersions } from '@slipstream/ports';

type Kept = Book | PackedBook;

const isPacked = (book: Kept): book is PackedBook => typeof book.positions === 'string';

/** The committed books in memory. Those that were used last are at hand, the others packed. */
export class CommittedBooks {
  private readonly books = new Map<StrategyId, Kept>();
  /** The books at hand, the least recently used first; with their packed form if they are as they were unpacked. */
  private readonly atHand = new Map<StrategyId, PackedBook | undefined>();

  /**
   * `most`: how many books are at hand. `stocks`: the numbers that stand for stocks in packed books, where their ids would be a
   * third of the memory.
   */
  constructor(
    private readonly most: number,
    private readonly stocks = new StockNumbers(),
  ) {}

  /** Takes a stored book, which rests, and tells its holdings, by the numbers of their stocks. */
  enter(book: PackedBook, hold: (stock: number, amount: string) => void = () => {}): void {
    const positions = renamed(book, (stockId, amount) => {
      const number = this.stocks.of(stockId);
      hold(number, amount);
      return String(number);
    });
    this.books.set(book.strategyId, { ...book, positions });
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
    return this.use(this.unpacked(kept), kept);
  }

  /** The same, for work on all books: it does not come to hand in place of those that are used. */
  glance(strategyId: StrategyId): Book | undefined {
    const kept = this.books.get(strategyId);
    return kept && isPacked(kept) ? this.unpacked(kept) : kept;
  }

  /** The book as it is kept, packed or not. */
  kept(strategyId: StrategyId): Kept | undefined {
    return this.books.get(strategyId);
  }

  /** Tells the shorts of a kept book, with their amounts as plain texts, without unpacking it. */
  visitShorts(kept: Kept, visit: (stockId: StockId, amount: string) => void): void {
    if (isPacked(kept)) {
      visitShorts(kept, (name, amount) => visit(this.stockOf(name), amount));
      return;
    }
    for (const { stockId, amount } of kept.positions.values())
      if (amount.lt(ZERO)) visit(stockId, amount.toFixed());
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

  private unpacked(book: PackedBook): Book {
    return unpackBookBy(book, this.stockOf);
  }

  private readonly stockOf = (name: string): StockId => this.stocks.stock(Number(name));

  private use(book: Book, packed: PackedBook | undefined): Book {
    const { strategyId } = book;
    this.books.set(strategyId, book);
    this.atHand.delete(strategyId);
    this.atHand.set(strategyId, packed);
    for (const [oldest, known] of this.atHand) {
      if (this.atHand.size <= this.most) break;
      this.atHand.delete(oldest);
      const used = this.books.get(oldest);
      if (used && !isPacked(used))
        this.books.set(
          oldest,
          known ?? packBookBy(used, (stockId) => String(this.stocks.of(stockId))),
        );
    }
    return book;
  }
}
