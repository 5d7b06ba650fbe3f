import type { Exact } from './exact.js';

/** The state of the reference engine: naive records, changed in place. Every search goes through all of them. */
export interface ModelStock {
  readonly id: string;
  readonly security: 'stock' | 'cryptocurrency';
  readonly fee: Exact;
  readonly slippage: Exact;
  status: 'active' | 'halted' | 'delisted';
  /** The latest usable quote. */
  quote: ModelQuote | undefined;
  /** The time of its last split. */
  splitAt: number | undefined;
}

export interface ModelQuote {
  readonly bid: Exact;
  readonly ask: Exact;
  readonly at: number;
}

export interface ModelPosition {
  readonly stockId: string;
  /** Signed. */
  amount: Exact;
  averagePrice: Exact;
  /** Paid for the holding, before fees; negative for the proceeds of a short. */
  cost: Exact;
  realized: Exact;
  dividends: Exact;
  readonly createdAt: number;
  updatedAt: number;
}

export type OrderKind = 'market' | 'limit' | 'stop_market' | 'stop_limit' | 'oco';

export interface ModelOrder {
  id: string;
  readonly stockId: string;
  readonly action: 'buy' | 'sell';
  readonly type: OrderKind;
  price: Exact | null;
  stopPrice: Exact | null;
  amount: Exact | null;
  readonly total: Exact | null;
  dependsOn: ModelOrder[];
  reduceOnly: boolean;
  /** Planned by newOrderAllocations or newOrderWebhook. */
  readonly isPlanned: boolean;
  /** A partial exit. */
  readonly isExit: boolean;
  readonly createdAt: number;
  triggeredAt: number | null;
  restingSince: number | null;
  status: 'open' | 'filled' | 'cancelled' | 'rejected';
  closedAt: number | null;
  fill: ModelFill | null;
}

/** One fill: gross and fee as booked. */
export interface ModelFill {
  readonly price: Exact;
  readonly amount: Exact;
  readonly gross: Exact;
  readonly fee: Exact;
  readonly rounding: Exact;
  /** What it added to `realized` of a position that it reduced. */
  realized: Exact | null;
  /** Right after the fill. */
  strategyValue: Exact;
}

export interface ModelBook {
  readonly security: 'stock' | 'cryptocurrency';
  version: number;
  cash: Exact;
  readonly positions: Map<string, ModelPosition>;
  /** The profit of closed positions and the remainders of total orders, over all time. */
  closed: Exact;
  roundings: Exact;
  /** Oldest first. */
  orders: ModelOrder[];
  /** The changes of the present command. */
  changes: ModelChange[];
  /** The spans at or below zero since the value was last above; undefined while it is not counted. */
  sunk: ModelSpan[] | undefined;
  /** The last stored duration of that, in milliseconds. */
  belowZeroFor: number;
  endedAt: number | null;
}

/** A span of time in milliseconds; its future part counts as it passes. */
export interface ModelSpan {
  readonly from: number;
  readonly until: number;
}

export interface ModelChange {
  readonly kind:
    | 'opened'
    | 'released'
    | 'triggered'
    | 'rested'
    | 'adjusted'
    | 'filled'
    | 'cancelled'
    | 'rejected';
  readonly order: ModelOrder;
  /** The order right after the change. */
  readonly then: ModelOrder;
}

/** The market's state. */
export interface ModelMarket {
  now: number;
  readonly stocks: Map<string, ModelStock>;
  /** The present session of stocks; cryptocurrencies are always in session. */
  session(
    security: ModelStock['security'],
    at: number,
  ): { readonly opensAt: number; readonly closesAt: number } | undefined;
}

/** A refusal by the reference engine. */
export class Refused extends Error {
  override readonly name = 'Refused';
}
