import { LimbFactors } from '../../numbers/limb-sums.js';

/** The strategies that are long in a stock, or those that are short in it, with their amounts, in ascending order of their slots. */
export class Holders {
  readonly factors = new LimbFactors();
  /** By slot, amounts that are too large for a factor, which is zero then. */
  readonly large = new Map<number, bigint>();
  /** The price that values the holding; undefined without a price that fits. */
  price: bigint | undefined;

  insert(place: number, slot: number, amount: bigint): void {
    const isLarge = !LimbFactors.fits(amount);
    this.factors.insert(place, slot, isLarge ? 0n : amount);
    if (isLarge) this.large.set(slot, amount);
  }

  /** Makes room for so many more at the end, each of which must be `put`; returns the place of the first. */
  extend(count: number): number {
    const { length } = this.factors;
    this.factors.extend(count);
    return length;
  }

  /** Sets the holding to the entry that stands in `entries` at that index; `large`: its amount, if that is too large for it. */
  put(place: number, entries: Int32Array, at: number, large: bigint | undefined): void {
    this.factors.put(place, entries, at);
    if (large !== undefined) this.large.set(this.factors.slot(place), large);
  }

  /** Returns the removed amount. */
  remove(place: number): bigint {
    const amount = this.amount(place);
    this.large.delete(this.factors.slot(place));
    this.factors.remove(place);
    return amount;
  }

  amount(place: number): bigint {
    return this.large.get(this.factors.slot(place)) ?? this.factors.get(place);
  }

  /** The slots, in order. */
  *slots(): Iterable<number> {
    for (let place = 0; place < this.factors.length; place += 1) yield this.factors.slot(place);
  }

  /** The index of the slot, or the one where it would be inserted. */
  place(slot: number): number {
    let low = 0;
    let high = this.factors.length;
    // A new strategy has the highest slot.
    if (high > 0 && this.factors.slot(high - 1) < slot) return high;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.factors.slot(middle) < slot) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}
