import type { Decimal } from '../numbers/decimal.js';

/** An entry that waits at a price until it is removed. */
export interface HeapEntry {
  readonly price: Decimal;
  gone: boolean;
}

/** With fewer entries than this, compacting would not pay. */
const SMALL = 32;

/**
 * A heap of entries that wait at prices, with the next price to be reached on top. Adding costs at most the heap's depth; a
 * quote that reaches nothing costs one comparison. Removed entries stay until they are on top or make up half.
 */
export class PriceHeap<Waiting extends HeapEntry> {
  private entries: Waiting[] = [];
  private gone = 0;

  /** Falling quotes reach a `rising` heap, its highest price first; rising quotes reach the other, its lowest first. */
  constructor(private readonly rising: boolean) {}

  private isBefore(first: Waiting, second: Waiting): boolean {
    const order = first.price.cmp(second.price);
    return this.rising ? order > 0 : order < 0;
  }

  private isReached(entry: Waiting, price: Decimal): boolean {
    return this.rising ? entry.price.gte(price) : entry.price.lte(price);
  }

  add(entry: Waiting): void {
    this.entries.push(entry);
    this.rise(this.entries.length - 1);
  }

  /** Removes an added entry. */
  remove(entry: Waiting): void {
    if (entry.gone) return;
    entry.gone = true;
    this.gone += 1;
    if (this.gone > SMALL && this.gone * 2 > this.entries.length) this.compact();
  }

  /** Visits all entries that the price reaches; they stay. */
  reached(price: Decimal, visit: (entry: Waiting) => void): void {
    for (;;) {
      const top = this.entries[0];
      if (!top || !this.isReached(top, price)) return;
      if (!top.gone) break;
      this.dropTop();
    }
    this.visitFrom(0, price, visit);
  }

  /** If an entry is not reached, none below it is. */
  private visitFrom(at: number, price: Decimal, visit: (entry: Waiting) => void): void {
    const entry = this.entries[at];
    if (!entry || !this.isReached(entry, price)) return;
    if (!entry.gone) visit(entry);
    this.visitFrom(2 * at + 1, price, visit);
    this.visitFrom(2 * at + 2, price, visit);
  }

  private dropTop(): void {
    const last = this.entries.pop();
    this.gone -= 1;
    if (!last || this.entries.length === 0) return;
    this.entries[0] = last;
    this.sink(0);
  }

  private compact(): void {
    this.entries = this.entries.filter((entry) => !entry.gone);
    this.gone = 0;
    for (let at = (this.entries.length >> 1) - 1; at >= 0; at -= 1) this.sink(at);
  }

  private rise(from: number): void {
    const { entries } = this;
    const entry = entries[from] as Waiting;
    let at = from;
    while (at > 0) {
      const above = (at - 1) >> 1;
      const parent = entries[above] as Waiting;
      if (!this.isBefore(entry, parent)) break;
      entries[at] = parent;
      at = above;
    }
    entries[at] = entry;
  }

  private sink(from: number): void {
    const { entries } = this;
    const entry = entries[from] as Waiting;
    let at = from;
    for (;;) {
      const left = 2 * at + 1;
      const first = entries[left];
      if (!first) break;
      const second = entries[left + 1];
      const isSecond = second !== undefined && this.isBefore(second, first);
      const child = isSecond ? second : first;
      if (!this.isBefore(child, entry)) break;
      entries[at] = child;
      at = isSecond ? left + 1 : left;
    }
    entries[at] = entry;
  }
}
