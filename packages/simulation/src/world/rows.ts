import type { FillMarket } from '@slipstream/domain';

/** The rows that invariants read: from the real tables, without the core's memory. */
export interface BookRow {
  readonly strategy_id: string;
  readonly version: number;
  readonly cash: string;
}

export interface PositionRow {
  readonly strategy_id: string;
  readonly stock_id: string;
  readonly amount: string;
}

export interface OrderRow {
  readonly place: number;
  readonly id: string;
  readonly strategy_id: string;
  readonly stock_id: string;
  readonly action: 'buy' | 'sell';
  readonly type: 'market' | 'limit' | 'stop_market' | 'stop_limit' | 'oco';
  readonly price: string | null;
  readonly stop_price: string | null;
  readonly amount: string | null;
  readonly total: string | null;
  readonly depends_on: string;
  readonly reduce_only: number;
  readonly origin: 'order' | 'plan';
  readonly status: 'open' | 'filled' | 'cancelled' | 'rejected';
  readonly created_at: number;
  readonly triggered_at: number | null;
  readonly filled_price: string | null;
  readonly filled_amount: string | null;
}

export interface TradeRow {
  readonly id: string;
  readonly order_id: string;
  readonly strategy_id: string;
  readonly stock_id: string;
  readonly action: 'buy' | 'sell';
  readonly price: string;
  readonly amount: string;
  readonly total: string;
  readonly fee_total: string;
  readonly rounding: string;
  readonly created_at: number;
  readonly market: FillMarket;
  readonly quote_bid: string | null;
  readonly quote_ask: string | null;
}

export interface AdjustmentRow {
  readonly id: string;
  readonly action_id: string;
  readonly strategy_id: string;
  readonly stock_id: string;
  readonly kind: 'split' | 'cash_dividend' | 'delisting';
  readonly figure: string;
  readonly amount_before: string;
  readonly amount_after: string;
  readonly cash: string;
  readonly created_at: number;
}

export interface BotRow {
  readonly id: string;
  readonly user_id: string;
  readonly account_id: string;
  /** 1 if it trades real money. */
  readonly live: number;
  readonly dry_run: number;
  readonly type: 'stock' | 'cryptocurrency';
  readonly status: string;
  readonly condition: string;
  readonly status_reason: string | null;
  readonly closes_positions: number;
  readonly next_run_at: number | null;
  readonly breach: string | null;
  readonly join: string;
  readonly rebalance: string;
  readonly allocations: string;
  readonly leverage: string;
  readonly held_parts: string;
}

export interface HaltRow {
  readonly id: string;
  readonly scope: 'all' | 'broker' | 'user' | 'bot';
  readonly target: string | null;
  readonly by: string;
  readonly created_at: number;
}

export interface BotOrderRow {
  readonly id: string;
  readonly bot_id: string;
  readonly stock_id: string;
  readonly action: 'buy' | 'sell';
  readonly amount: string;
  readonly closes: number;
  readonly status: string;
  readonly filled_amount: string;
  readonly created_at: number;
}

export interface BucketRow {
  readonly strategy_id: string;
  readonly start: number;
  readonly length: number;
  readonly last: string;
  readonly last_at: number;
  readonly high: string;
  readonly low: string;
}

export interface AlertRow {
  readonly id: string;
  readonly strategy_id: string | null;
  readonly alert_id: string | null;
  readonly verdict: 'accepted' | 'no_change' | 'duplicate' | 'superseded' | 'refused';
  readonly reason: string | null;
  readonly order_id: string | null;
  readonly fingerprint: string | null;
  readonly answer: string | null;
  readonly created_at: number;
  /** The alert that it repeats. */
  readonly repeats: string | undefined;
}

/** The stored answer to a request under an Idempotency-Key. */
export interface IdempotencyRow {
  readonly name: string;
  readonly body_mac: string;
  readonly sealed_answer: string | null;
  readonly created_at: number;
}
