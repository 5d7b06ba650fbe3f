import type { Action, Decimal, Stock, StockId } from '@slipstream/domain';

/** What opens one brokerage account: its id there, and the adapter's own credentials (plain, never logged). */
export interface BrokerAccess {
  readonly accountId: string;
  readonly credentials: Readonly<Record<string, unknown>>;
}

export interface BrokerPosition {
  readonly stockId: StockId;
  /** Signed, in shares or coins. */
  readonly amount: Decimal;
  /** Market price the broker values it at. */
  readonly price: Decimal;
  /** Signed, in the account's currency. */
  readonly value: Decimal;
}

/** What the broker says is there now. Never from memory: a position that cannot be read is not flat. */
export interface BrokerAccount {
  readonly equity: Decimal;
  readonly cash: Decimal;
  readonly positions: readonly BrokerPosition[];
}

/** How this broker lets a stock be traded. */
export interface TradingRules {
  /** Smallest order by value, in the account's currency. */
  readonly minTotal: Decimal;
  /** Smallest order by amount. */
  readonly minAmount: Decimal;
  /** Amounts are whole multiples of it. */
  readonly amountStep: Decimal;
  readonly allowsShort: boolean;
  /** False when one order may not turn a long position into a short one. */
  readonly crossesZero: boolean;
  /** True while orders in this stock can execute. */
  readonly open: boolean;
}

/** An order as it is sent; always at the market. */
export interface BrokerOrderRequest {
  readonly clientOrderId: string;
  readonly stockId: StockId;
  readonly action: Action;
  readonly amount: Decimal;
}

/** What the broker knows of an order. A rejection is an answer, not an error. */
export interface BrokerOrder extends BrokerOrderRequest {
  readonly status: 'open' | 'filled' | 'cancelled' | 'rejected';
  readonly filledAmount: Decimal;
  readonly filledPrice: Decimal | null;
  readonly reason: string | null;
}

/** A broker, by an adapter. Every method may throw one of the three errors below; any other throw counts as unreachable. */
export interface Broker {
  /** The word for it in `broker` of a bot. */
  readonly name: string;
  /** True when it trades real money. */
  readonly live: boolean;
  /** Largest gross exposure as a multiple of equity. */
  readonly maxGross: Decimal;
  /**
   * Checks what newBot was given and answers what to keep. `accountId` is absent when the user named none. Throws
   * `BrokerRefused` with what to correct.
   */
  link(accountId: string | undefined, credentials: unknown): Promise<BrokerAccess>;
  account(access: BrokerAccess): Promise<BrokerAccount>;
  rules(access: BrokerAccess, stock: Stock): Promise<TradingRules>;
  /** At most one order a client order id: sent again, it answers the first. */
  place(access: BrokerAccess, order: BrokerOrderRequest): Promise<BrokerOrder>;
  /** The order with that client order id, or undefined when the broker surely never got it. */
  find(access: BrokerAccess, clientOrderId: string): Promise<BrokerOrder | undefined>;
  /** Asks to cancel; what is filled stays filled. Of an order that is not open it does nothing. */
  cancel(access: BrokerAccess, clientOrderId: string): Promise<void>;
}

/** The brokers of this server, by name. */
export type Brokers = ReadonlyMap<string, Broker>;

/** No answer, or one that says nothing (timeout, 5xx): what was asked may have happened. */
export class BrokerUnreachable extends Error {
  override readonly name: string = 'BrokerUnreachable';
}

/** Asked too often; nothing happened. `retryAfter` in milliseconds. */
export class BrokerRateLimited extends Error {
  override readonly name = 'BrokerRateLimited';
  constructor(readonly retryAfter: number) {
    super('the broker asks to slow down');
  }
}

/** Access was taken away or never valid (401, 403), or what was given is wrong; nothing happened. */
export class BrokerRefused extends Error {
  override readonly name = 'BrokerRefused';
}
