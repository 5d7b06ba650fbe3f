import type { Decimal } from '../numbers/decimal.js';

/** What waits at a price until it is taken back. */
export interface Rung {
  readonly price: Decimal;
  gone: boolean;
}

/** Fewer than these are never tidied up: it would not pay. */
const SMALL = 32;

/**
 * What waits at prices, the next one to be reached on top: adding costs the depth of the heap at most, looking at a
 * quote that reaches nothing one comparison. What is taken back stays until it comes to the top or makes up half.
 */
export class PriceHeap<Waiting extends Rung> {
  private rungs: Waiting[] = [];
  private gone = 0;

  /** A `rising` heap is reached by falling quotes, its highest price first; the other by rising ones, its lowest first. */
  constructor(private readonly rising: boolean) {}

  private isBefore(first: Waiting, second: Waiting): boolean {
    const order = first.price.cmp(second.price);
    return this.rising ? order > 0 : order < 0;
  }

  private isReached(rung: Waiting, price: Decimal): boolean {
    return this.rising ? rung.price.gte(price) : rung.price.lte(price);
  }

  add(rung: Waiting): void {
    this.rungs.push(rung);
    this.rise(this.rungs.length - 1);
  }

  /** Takes back what was added. */
  remove(rung: Waiting): void {
    if (rung.gone) return;
    rung.gone = true;
    this.gone += 1;
    if (this.gone > SMALL && this.gone * 2 > this.rungs.length) this.tidy();
  }

  /** Tells all that the price reaches; they stay. */
  reached(price: Decimal, tell: (rung: Waiting) => void): void {
    for (;;) {
      const top = this.rungs[0];
      if (!top || !this.isReached(top, price)) return;
      if (!top.gone) break;
      this.dropTop();
    }
    this.tellFrom(0, price, tell);
  }

  /** What is not reached has nothing below it that is. */
  private tellFrom(at: number, price: Decimal, tell: (rung: Waiting) => void): void {
    const rung = this.rungs[at];
    if (!rung || !this.isReached(rung, price)) return;
    if (!rung.gone) tell(rung);
    this.tellFrom(2 * at + 1, price, tell);
    this.tellFrom(2 * at + 2, price, tell);
  }

  private dropTop(): void {
    const last = this.rungs.pop();
    this.gone -= 1;
    if (!last || this.rungs.length === 0) return;
    this.rungs[0] = last;
    this.sink(0);
  }

  private tidy(): void {
    this.rungs = this.rungs.filter((rung) => !rung.gone);
    this.gone = 0;
    for (let at = (this.rungs.length >> 1) - 1; at >= 0; at -= 1) this.sink(at);
  }

  private rise(from: number): void {
    const { rungs } = this;
    const rung = rungs[from] as Waiting;
    let at = from;
    while (at > 0) {
      const above = (at - 1) >> 1;
      const parent = rungs[above] as Waiting;
      if (!this.isBefore(rung, parent)) break;
      rungs[at] = parent;
      at = above;
    }
    rungs[at] = rung;
  }

  private sink(from: number): void {
    const { rungs } = this;
    const rung = rungs[from] as Waiting;
    let at = from;
    for (;;) {
      const left = 2 * at + 1;
      const first = rungs[left];
      if (!first) break;
      const second = rungs[left + 1];
      const isSecond = second !== undefined && this.isBefore(second, first);
      const child = isSecond ? second : first;
      if (!this.isBefore(child, rung)) break;
      rungs[at] = child;
      at = isSecond ? left + 1 : left;
    }
    rungs[at] = rung;
  }
}
