import { DAY, type Timestamp } from '@slipstream/domain';
import type { Bar } from '../data/bar.js';

/** An instrument without a bar for longer than this, while others have some, is halted until its next one. */
const SILENT = 7 * DAY;

/**
 * Knows which instruments have had no bar for a week. Nobody can trade them, and an order that waits for them would hold up every
 * order that depends on it to the end of the replay. Only the past counts: bars may come again.
 */
export class SilentStocks {
  private readonly endedAt = new Map<number, Timestamp>();
  private readonly silent = new Set<number>();

  /** `changed` hears of each that becomes silent, or has bars again, by the place of its symbol. */
  constructor(private readonly changed: (symbol: number, isSilent: boolean) => void) {}

  /** Bars begin. */
  begin(bars: readonly Bar[]): void {
    for (const { symbol, endsAt } of bars) {
      this.endedAt.set(symbol, endsAt);
      if (this.silent.delete(symbol)) this.changed(symbol, false);
    }
  }

  /** A day begins; the last quotes of any instrument were at `metAt`. */
  beginDay(metAt: Timestamp): void {
    for (const [symbol, endedAt] of this.endedAt) {
      if (metAt - endedAt <= SILENT || this.silent.has(symbol)) continue;
      this.silent.add(symbol);
      this.changed(symbol, true);
    }
  }
}
