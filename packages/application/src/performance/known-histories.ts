import type { StrategyId } from '@slipstream/domain';
import { KnownHistory } from './known-history.js';
import { packHistory, unpackHistory } from './packed-history.js';

/** The histories in memory. Those that were asked for last are at hand with their answers, the others packed. */
export class KnownHistories {
  /** The least recently used first. */
  private readonly atHand = new Map<StrategyId, KnownHistory>();
  private readonly resting = new Map<StrategyId, string>();

  /** `most`: how many histories are at hand. */
  constructor(private readonly most: number) {}

  find(strategyId: StrategyId): KnownHistory | undefined {
    const known = this.atHand.get(strategyId);
    if (known) return known;
    const packed = this.resting.get(strategyId);
    return packed === undefined ? undefined : new KnownHistory(unpackHistory(packed));
  }

  /** Keeps the history of a strategy that somebody asked for. */
  use(strategyId: StrategyId, history: KnownHistory): void {
    this.resting.delete(strategyId);
    this.atHand.delete(strategyId);
    this.atHand.set(strategyId, history);
    for (const [oldest, { read }] of this.atHand) {
      if (this.atHand.size <= this.most) break;
      this.atHand.delete(oldest);
      this.resting.set(oldest, packHistory(read));
    }
  }

  /** The same, for work on all histories: where there is no room it does not come to hand in place of those that are used. */
  put(strategyId: StrategyId, history: KnownHistory): void {
    if (this.atHand.has(strategyId) || this.atHand.size < this.most) {
      this.resting.delete(strategyId);
      this.atHand.set(strategyId, history);
    } else this.resting.set(strategyId, packHistory(history.read));
  }
}
