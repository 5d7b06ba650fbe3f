import type { StrategyId } from '@slipstream/domain';
import type { KnownHistory } from './known-history.js';

/** The histories in memory. Those that were asked for last keep their answers, which take more memory than a history. */
export class KnownHistories {
  private readonly all = new Map<StrategyId, KnownHistory>();
  /** The least recently asked for first. */
  private readonly asked = new Set<StrategyId>();

  /** `most`: how many histories keep their answers. */
  constructor(private readonly most: number) {}

  find(strategyId: StrategyId): KnownHistory | undefined {
    return this.all.get(strategyId);
  }

  put(strategyId: StrategyId, history: KnownHistory): void {
    this.all.set(strategyId, history);
  }

  /** Keeps the history of a strategy that somebody asked for. */
  use(strategyId: StrategyId, history: KnownHistory): void {
    this.put(strategyId, history);
    this.asked.delete(strategyId);
    this.asked.add(strategyId);
    for (const oldest of this.asked) {
      if (this.asked.size <= this.most) break;
      this.asked.delete(oldest);
      this.all.get(oldest)?.forgetAnswers();
    }
  }
}
