import {
  type Decimal,
  FULLY_TRADING,
  type Quote,
  type StockId,
  type StrategyState,
  type StrategyId,
  round18,
} from '@slipstream/domain';
import type { Clock, Events } from '@slipstream/ports';
import type { LiveState } from './live-state.js';

/** Calls `end` once, however often it is called itself. */
function once(end: () => void): () => void {
  let isOver = false;
  return () => {
    if (isOver) return;
    isOver = true;
    end();
  };
}

/** Publishes the values and the moves of prices of watched strategies only: the cost of a tick depends on watchers, not on holders. */
export class ValueWatch {
  private readonly watched = new Map<
    StrategyId,
    { watchers: number; lastPublished: Decimal | null }
  >();

  /** How many watch the prices of what a strategy holds. */
  private readonly priced = new Map<StrategyId, number>();

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
    return once(() => {
      entry.watchers -= 1;
      if (entry.watchers === 0) this.watched.delete(strategyId);
    });
  }

  /** Moves of the prices of what the strategy holds are published as `prices_moved` until the returned function is called. */
  watchPrices(strategyId: StrategyId): () => void {
    this.priced.set(strategyId, (this.priced.get(strategyId) ?? 0) + 1);
    return once(() => {
      const left = (this.priced.get(strategyId) ?? 0) - 1;
      if (left > 0) this.priced.set(strategyId, left);
      else this.priced.delete(strategyId);
    });
  }

  quotesChanged(quotes: readonly Pick<Quote, 'stockId'>[]): void {
    const quoted = new Set(quotes.map((quote) => quote.stockId));
    for (const strategyId of this.holding(quoted, this.watched)) this.publishIfChanged(strategyId);
  }

  /** The bid, ask or last price of these stocks has changed. */
  pricesMoved(stockIds: ReadonlySet<StockId>): void {
    for (const strategyId of this.holding(stockIds, this.priced))
      this.events.publish({ kind: 'prices_moved', strategyId, at: this.clock.now() });
  }

  /** Those of the strategies that hold one of the stocks. */
  private holding(
    stockIds: ReadonlySet<StockId>,
    strategies: ReadonlyMap<StrategyId, unknown>,
  ): ReadonlySet<StrategyId> {
    const found = new Set<StrategyId>();
    if (strategies.size === 0) return found;
    for (const stockId of stockIds)
      for (const strategyId of this.live.strategiesHolding(stockId))
        if (strategies.has(strategyId)) found.add(strategyId);
    return found;
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
