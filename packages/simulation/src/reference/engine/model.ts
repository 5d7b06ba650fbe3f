import type { Exact } from './exact.js';

/** What the reference engine keeps: naive records that it changes in place. Everything is found by going through all. */
export interface ModelStock {
  readonly id: string;
  readonly security: 'stock' | 'cryptocurrency';
  readonly fee: Exact;
  readonly slippage: Exact;
  status: 'active' | 'halted' | 'delisted';
  /** The latest usable one. */
  quote: ModelQuote | undefined;
  /** When its last split was. */
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
  /** Paid for what is held, before fees; below zero for what a short brought. */
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

/** One fill: gross and fee as they are booked. */
export interface ModelFill {
  readonly price: Exact;
  readonly amount: Exact;
  readonly gross: Exact;
  readonly fee: Exact;
  readonly rounding: Exact;
  /** Just after. */
  strategyValue: Exact;
}

export interface ModelBook {
  readonly security: 'stock' | 'cryptocurrency';
  version: number;
  cash: Exact;
  readonly positions: Map<string, ModelPosition>;
  /** What positions that are closed came to, and what total orders left, over all time. */
  closed: Exact;
  roundings: Exact;
  /** Oldest first. */
  orders: ModelOrder[];
  /** The changes of the command that is being done. */
  changes: ModelChange[];
  /** When the value was at or below zero since it was last above; undefined while nobody counts. */
  sunk: ModelSpan[] | undefined;
  /** How long that was as it was stored last, in milliseconds. */
  belowZeroFor: number;
  endedAt: number | null;
}

/** A time, in milliseconds; what is to come counts as it goes by. */
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
  /** The order as it was just after. */
  readonly then: ModelOrder;
}

/** Everything that the engine knows. */
export interface ModelMarket {
  now: number;
  readonly stocks: Map<string, ModelStock>;
  /** The session that holds now, for stocks; cryptocurrencies are always in session. */
  session(
    security: ModelStock['security'],
    at: number,
  ): { readonly opensAt: number; readonly closesAt: number } | undefined;
}

/** A "no" of the reference engine. */
export class Refused extends Error {
  override readonly name = 'Refused';
}
