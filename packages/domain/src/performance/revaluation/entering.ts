import { PLACES } from '../../numbers/decimal.js';
import { ENTRY, type LimbFactors } from '../../numbers/limb-sums.js';
import { putLimbsOfText } from '../../numbers/limbs.js';

/** The numbers of a holding: its entry in the list of holders, and the holding before it of the same list. */
const ROW = ENTRY + 1;
const ROWS_IN_CHUNK = 2 ** 14;
const NONE = -1;

/**
 * Holdings that enter the lists of holders together, each list at once. One by one, each would look for the end of another list,
 * and with millions of holdings that is somewhere else in memory each time.
 */
export class Entering {
  private chunks: Int32Array[] = [];
  private rows = 0;
  /** How many did not enter yet. */
  private left = 0;
  /** By list, its last row. */
  private last = new Int32Array(64).fill(NONE);
  /** By list, the number of its rows. */
  private counts = new Int32Array(64);

  /** Whether every holding has entered. */
  get isEmpty(): boolean {
    return this.left === 0;
  }

  /** Takes a holding, its amount as a plain text. False, and the amount is zero, when it has too many places or is too large. */
  add(list: number, slot: number, amount: string): boolean {
    const row = this.rows;
    const chunk = this.chunkOf(row);
    const at = (row % ROWS_IN_CHUNK) * ROW;
    chunk[at] = slot;
    const fits = putLimbsOfText(amount, PLACES, chunk, at + 1);
    if (!fits) chunk.fill(0, at + 1, at + ENTRY);
    while (list >= this.last.length) this.addLists();
    chunk[at + ENTRY] = this.last[list] as number;
    this.last[list] = row;
    this.counts[list] = (this.counts[list] as number) + 1;
    this.rows += 1;
    this.left += 1;
    return fits;
  }

  /** Moves the holdings of that list to the end of `factors`, in order. Returns how many. */
  enter(list: number, factors: LimbFactors): number {
    const count = this.counts[list] ?? 0;
    if (count === 0) return 0;
    factors.extend(count);
    let place = factors.length;
    for (let row = this.last[list] as number; row !== NONE;) {
      const chunk = this.chunkOf(row);
      const at = (row % ROWS_IN_CHUNK) * ROW;
      place -= 1;
      factors.put(place, chunk, at);
      row = chunk[at + ENTRY] as number;
    }
    this.last[list] = NONE;
    this.counts[list] = 0;
    this.left -= count;
    if (this.left === 0) this.clear();
    return count;
  }

  private clear(): void {
    this.chunks = [];
    this.rows = 0;
  }

  private chunkOf(row: number): Int32Array {
    return (this.chunks[Math.floor(row / ROWS_IN_CHUNK)] ??= new Int32Array(ROWS_IN_CHUNK * ROW));
  }

  private addLists(): void {
    const size = this.last.length * 2;
    const [last, counts] = [new Int32Array(size).fill(NONE), new Int32Array(size)];
    last.set(this.last);
    counts.set(this.counts);
    [this.last, this.counts] = [last, counts];
  }
}
