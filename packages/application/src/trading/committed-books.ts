import {
  type Book,
  type PackedBook,
  type StockId,
  type StrategyId,
  ZERO,
  id,
  packBookBy,
  renamed,
  unpackBookBy,
  visitShorts,
} from '@slipstream/domain';
import type { KnownVersions } from '@slipstream/ports';

type Kept = Book | PackedBook;

const isPacked = (book: Kept): book is PackedBook => typeof book.positions === 'string';

/** Short names of stocks: their ids would be a third of the memory of packed books. */
class StockNames {
  private readonly names = new Map<StockId, string>();
  private readonly stockIds: StockId[] = [];

  readonly nameOf = (stockId: StockId): string => {
    const known = this.names.get(stockId);
    if (known !== undefined) return known;
    // A copy: a part of a text keeps the whole text in memory.
    const copy = id<'stock'>(` ${stockId}`.slice(1));
    const name = String(this.stockIds.push(copy) - 1);
    this.names.set(copy, name);
    return name;
  };

  readonly stockOf = (name: string): StockId => this.stockIds[Number(name)] as StockId;
}

/** The committed books in memory. Those that were used last are at hand, the others packed. */
export class CommittedBooks {
  private readonly books = new Map<StrategyId, Kept>();
  /** Of the stocks in packed books. */
  private readonly stocks = new StockNames();
  /** The books at hand, the least recently used first; with their packed form if they are as they were unpacked. */
  private readonly atHand = new Map<StrategyId, PackedBook | undefined>();

  /** `most`: how many books are at hand. */
  constructor(private readonly most: number) {}

  /** Takes a stored book, which rests, and tells its holdings. */
  enter(book: PackedBook, hold: (stockId: StockId, amount: string) => void = () => {}): void {
    const { stocks } = this;
    const positions = renamed(book, (stockId, amount) => {
      const name = stocks.nameOf(stockId);
      hold(stocks.stockOf(name), amount);
      return name;
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
      visitShorts(kept, (name, amount) => visit(this.stocks.stockOf(name), amount));
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
    return unpackBookBy(book, this.stocks.stockOf);
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
      if (used && !isPacked(used))
        this.books.set(oldest, known ?? packBookBy(used, this.stocks.nameOf));
    }
    return book;
  }
}
