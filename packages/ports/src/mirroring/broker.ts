import type {
  Action,
  BrokerAccount,
  Decimal,
  Security,
  Stock,
  StockAction,
  StockId,
  TradingRules,
  UserId,
} from '@slipstream/domain';

/** One thing that a broker asks for in `credentials` of newBot, always as text. */
export interface CredentialField {
  /** Its name in `credentials`: letters a to z, digits and _. */
  readonly name: string;
  /** Says in a sentence which one it is, for whoever has to find it. */
  readonly description: string;
  readonly required: boolean;
  /** For the documents; nobody's own. */
  readonly example: string;
}

/** What newBot was given to link an account. */
export interface BrokerLink {
  /** Whose account it is to be. */
  readonly userId: UserId;
  /** What the account is to trade. */
  readonly type: Security;
  /** Absent when the user named none. */
  readonly accountId: string | undefined;
  /** Every field that the adapter requires, and none that it does not ask for. */
  readonly credentials: Readonly<Record<string, string>>;
}

/** What is kept to open one brokerage account: its id there, and the adapter's own credentials (plain, never logged). */
export interface LinkedAccount {
  readonly accountId: string;
  readonly credentials: Readonly<Record<string, unknown>>;
}

/** What opens a brokerage account at a call. */
export interface BrokerAccess extends LinkedAccount {
  /**
   * Keeps other credentials from now on, for a broker that renews them: durable when it resolves, and in `credentials`. Does
   * nothing when others were kept meanwhile.
   */
  readonly renew: (credentials: LinkedAccount['credentials']) => Promise<void>;
}

/** An order as it is sent; always at the market. */
export interface BrokerOrderRequest {
  readonly clientOrderId: string;
  readonly stock: Stock;
  readonly action: Action;
  readonly amount: Decimal;
}

/** The instruments of this service: an adapter finds in them which one its broker means. One ticker may be on several exchanges. */
export interface Instruments {
  find(stockId: StockId): Stock | undefined;
  all(): readonly Stock[];
}

/** What the broker knows of an order. A rejection is an answer, not an error. */
export interface BrokerOrder {
  readonly clientOrderId: string;
  readonly stockId: StockId;
  readonly action: Action;
  readonly amount: Decimal;
  /** `open` until it is at rest: acceptance is not a fill. Cancelled, it keeps what was filled before. */
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
  /** Stands in the documents; newBot and updateBot refuse other credentials by name. */
  readonly asksFor: readonly CredentialField[];
  /**
   * Checks the credentials that newBot was given and answers those to keep.
   * @throws {BrokerRefused} with the correction that the owner must make.
   */
  link(request: BrokerLink): Promise<LinkedAccount>;
  /** Ends what it holds for a bot that was deleted. Not called again when it fails, and the account may have other bots. */
  unlink?(access: BrokerAccess): Promise<void>;
  /**
   * Throws rather than leaving out a position or guessing a value. Positions of zero are left out, the others are in no
   * order.
   */
  account(access: BrokerAccess, instruments: Instruments): Promise<BrokerAccount>;
  /** How this account may trade the stock now; undefined when it is not traded here. */
  rules(access: BrokerAccess, stock: Stock): Promise<TradingRules | undefined>;
  /** At most one order a client order id: sent again, it answers the first. May answer `open`; `find` tells the rest. */
  place(access: BrokerAccess, order: BrokerOrderRequest): Promise<BrokerOrder>;
  /**
   * The order with that client order id, or undefined when the broker surely never got it.
   * @throws when it cannot know.
   */
  find(access: BrokerAccess, clientOrderId: string): Promise<BrokerOrder | undefined>;
  /** Asks to cancel; what is filled stays filled. Of an order that is not open it does nothing. */
  cancel(access: BrokerAccess, clientOrderId: string): Promise<void>;
  /** Ends what it holds open; called once, when the server stops. */
  close?(): Promise<void>;
  /** Only of a broker inside this service: does to its accounts what a corporate action does, each once an action id. */
  adjust?(action: StockAction): Promise<void>;
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
