import { type StockId, id } from '../ids.js';

/** Numbers of stocks, from 0 on in the order in which they were asked for: places in lists, and names that are shorter than ids. */
export class StockNumbers {
  private readonly numbers = new Map<StockId, number>();
  private readonly stockIds: StockId[] = [];

  /** One more than the highest. */
  get size(): number {
    return this.stockIds.length;
  }

  /** The number of the stock, if it has one. */
  find(stockId: StockId): number | undefined {
    return this.numbers.get(stockId);
  }

  /** The number of the stock, a new one if it has none. */
  of(stockId: StockId): number {
    const known = this.numbers.get(stockId);
    if (known !== undefined) return known;
    // A copy: a part of a text keeps the whole text in memory.
    const copy = id<'stock'>(` ${stockId}`.slice(1));
    const number = this.stockIds.push(copy) - 1;
    this.numbers.set(copy, number);
    return number;
  }

  /** The stock of a number. */
  stock(number: number): StockId {
    return this.stockIds[number] as StockId;
  }
}
