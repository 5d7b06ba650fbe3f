import {
  ABOVE_ZERO,
  type BelowZero,
  type Quote,
  type StrategyId,
  belowZeroAt,
  belowZeroPhase,
  freshValue,
} from '@slipstream/domain';
import type { Ports } from '@slipstream/ports';
import type { LiveState } from '../market/live-state.js';
import type { Settings } from '../settings.js';

type Needs = Pick<Ports, 'clock'> & {
  readonly live: LiveState;
  readonly settings: Pick<Settings, 'quoteFreshFor'>;
};

/**
 * Counts in memory how long strategies are at or below zero (contract 7b.9); the stored figures serve a restart. A strategy
 * that is not counted adds no cost to a quote.
 */
export class BelowZeroCounts {
  private readonly counts = new Map<StrategyId, BelowZero>();

  constructor(private readonly needs: Needs) {}

  /** Starts from the stored figure. */
  restore(strategyId: StrategyId, lasted: number): void {
    this.counts.set(strategyId, { lasted, seen: null });
  }

  /** Starts or continues counting. */
  check(strategyId: StrategyId): BelowZero {
    const { live, clock, settings } = this.needs;
    const book = live.book(strategyId);
    const now = clock.now();
    const fresh = book ? freshValue(book, live.market(now), settings.quoteFreshFor) : null;
    const next = belowZeroAt(this.counts.get(strategyId) ?? ABOVE_ZERO, fresh, now);
    if (next === ABOVE_ZERO) this.counts.delete(strategyId);
    else this.counts.set(strategyId, next);
    return next;
  }

  forget(strategyId: StrategyId): void {
    this.counts.delete(strategyId);
  }

  counted(): StrategyId[] {
    return [...this.counts.keys()];
  }

  /** One quote above zero ends the count, however soon the next quote comes. */
  quotesChanged(quotes: readonly Pick<Quote, 'stockId'>[]): void {
    if (this.counts.size === 0) return;
    const { live } = this.needs;
    for (const strategyId of this.counted()) {
      const positions = live.book(strategyId)?.positions;
      if (quotes.some(({ stockId }) => positions?.has(stockId))) this.check(strategyId);
    }
  }

  /** Whether the strategy can only close now. */
  closesOnly(strategyId: StrategyId): boolean {
    return (
      this.counts.has(strategyId) && belowZeroPhase(this.check(strategyId).lasted) !== 'trades'
    );
  }
}
