import {
  type Decimal,
  FULLY_TRADING,
  type Quote,
  type StrategyState,
  type StrategyId,
  round18,
} from '@slipstream/domain';
import type { Clock, Events } from '@slipstream/ports';
import type { LiveState } from './live-state.js';

/** Publishes the values of watched strategies only: the cost of a tick depends on watchers, not on holders. */
export class ValueWatch {
  private readonly watched = new Map<
    StrategyId,
    { watchers: number; lastPublished: Decimal | null }
  >();

  /** The states of strategies that can only close or have ended. */
  private readonly states = new Map<StrategyId, StrategyState>();

  constructor(
    private readonly live: LiveState,
    private readonly clock: Clock,
    private readonly events: Events,
  ) {}

  /** Values of the strategy are published as `value_changed` until the returned function is called. */
  watch(strategyId: StrategyId): () => void {
    const entry = this.watched.get(strategyId) ?? {
      watchers: 0,
      lastPublished: this.shown(strategyId),
    };
    entry.watchers += 1;
    this.watched.set(strategyId, entry);
    let watching = true;
    return () => {
      if (!watching) return;
      watching = false;
      entry.watchers -= 1;
      if (entry.watchers === 0) this.watched.delete(strategyId);
    };
  }

  quotesChanged(quotes: readonly Pick<Quote, 'stockId'>[]): void {
    if (this.watched.size === 0) return;
    const concerned = new Set<StrategyId>();
    for (const stockId of new Set(quotes.map((quote) => quote.stockId))) {
      for (const strategyId of this.live.strategiesHolding(stockId)) {
        if (this.watched.has(strategyId)) concerned.add(strategyId);
      }
    }
    for (const strategyId of concerned) this.publishIfChanged(strategyId);
  }

  /** Publishes the value if it differs from the last published one. */
  publishIfChanged(strategyId: StrategyId): void {
    const entry = this.watched.get(strategyId);
    if (!entry) return;
    const at = this.clock.now();
    const value = this.shown(strategyId, at);
    const same = value === null ? entry.lastPublished === null : entry.lastPublished?.eq(value);
    if (same) return;
    entry.lastPublished = value;
    const state = this.states.get(strategyId) ?? FULLY_TRADING;
    this.events.publish({ kind: 'value_changed', strategyId, at, value, state });
  }

  /** Sets the strategy's state and publishes it at once to its watchers. */
  isNow(strategyId: StrategyId, state: StrategyState): void {
    const before = this.states.get(strategyId) ?? FULLY_TRADING;
    const { closingOnly, endedAt } = state;
    if (before.closingOnly === closingOnly && before.endedAt === endedAt) return;
    if (closingOnly || endedAt !== null) this.states.set(strategyId, state);
    else this.states.delete(strategyId);
    const at = this.clock.now();
    const entry = this.watched.get(strategyId);
    if (!entry) return;
    entry.lastPublished = this.shown(strategyId, at);
    this.events.publish({
      kind: 'value_changed',
      strategyId,
      at,
      value: entry.lastPublished,
      state,
    });
  }

  /** Rounded to the displayed places: a split may change it by less than the last one. */
  private shown(strategyId: StrategyId, at = this.clock.now()): Decimal | null {
    const value = this.live.valueOf(strategyId, at);
    return value && round18(value);
  }
}
