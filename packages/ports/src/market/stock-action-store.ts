import type {
  Adjustment,
  StockAction,
  StockActionId,
  StockId,
  StrategyId,
  Timestamp,
} from '@slipstream/domain';
import type { Page } from '../storage/page.js';

/** Keeps corporate actions. `save` adds or replaces. */
export interface StockActionStore {
  find(actionId: StockActionId): Promise<StockAction | undefined>;
  /** The actions that are not yet applied to every book, oldest first, ties by id. */
  pending(): Promise<StockAction[]>;
  /** The last split of every stock that was ever split, in any order. */
  lastSplits(): Promise<readonly StockAction[]>;
  /** The action that was made last, whatever its kind and stock; undefined when there was none. */
  newest(): Promise<StockAction | undefined>;
  /** The actions of the stock that were made at or after that moment, oldest first, ties by id. */
  ofStock(stockId: StockId, from: Timestamp): Promise<StockAction[]>;
  save(action: StockAction): Promise<void>;
}

/** Keeps the effects of corporate actions on books: part of the ledger, append-only. */
export interface AdjustmentStore {
  find(actionId: StockActionId, strategyId: StrategyId): Promise<Adjustment | undefined>;
  /** Newest first, ties by the later id. */
  list(strategyId: StrategyId, page: Page): Promise<Adjustment[]>;
  /** Every adjustment of a strategy, oldest first, ties by id. */
  ledger(strategyId: StrategyId): Promise<Adjustment[]>;
  /** @throws when the action was applied to the strategy before. */
  save(adjustment: Adjustment): Promise<void>;
}
