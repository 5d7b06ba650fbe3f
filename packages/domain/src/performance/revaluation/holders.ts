import { LimbFactors } from '../../numbers/limb-sums.js';

/** The strategies that are long in a stock, or those that are short in it, with their amounts, in ascending order of their slots. */
export class Holders {
  readonly factors = new LimbFactors();
  /** The price that values the holding; undefined without a price that fits. */
  price: bigint | undefined;

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
