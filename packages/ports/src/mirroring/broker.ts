import type {
  AccountActivity,
  Action,
  BrokerAccount,
  Decimal,
  ExistingPositions,
  Security,
  Stock,
  StockAction,
  StockId,
  Timestamp,
  TradingRules,
  UserId,
} from '@slipstream/domain';
import type { BrokerConsent } from './broker-consent.js';

/** One field that a broker requires in newBot's `credentials`; always text. */
export interface CredentialField {
  /** Its name in `credentials`: letters a to z, digits and `_`. */
  readonly name: string;
  /** One sentence that helps the user to find the value. */
  readonly description: string;
  readonly required: boolean;
  /** Shown in the documents; not a real credential. */
  readonly example: string;
}

/** The fields of newBot that link an account. */
export interface BrokerLink {
  /** The user who will own the bot. */
  readonly userId: UserId;
  /** The kind of security that the bot will trade. */
  readonly type: Security;
  /** Absent when the user gave none. */
  readonly accountId: string | undefined;
  /** True for a preview: the access works until it is forgotten, and the broker stores nothing for it. Absent otherwise. */
  readonly isTrial?: boolean;
  /** Holds every field that the adapter requires, and no field that it does not list. */
  readonly credentials: Readonly<Record<string, string>>;
}

/** Stored access to one brokerage account: its id at the broker and the adapter's own credentials (plain text, never logged). */
export interface LinkedAccount {
  readonly accountId: string;
  readonly credentials: Readonly<Record<string, unknown>>;
}

/** Something that the account holds already. */
export interface LinkedHolding {
  /** The broker's name for it: this service may not list it. */
  readonly instrument: string;
  /** Signed, in shares or coins. */
  readonly amount: Decimal;
}

/** `link`'s answer: what is stored, and what the user should see before the bot starts. */
export interface BrokerLinked extends LinkedAccount {
  /** How the broker names the account for its owner. */
  readonly label: string;
  /** Whether the account holds real money; newBot refuses an account that differs from its broker in this. */
  readonly live: boolean;
  /** Everything held, also what the service does not list. */
  readonly holdings: readonly LinkedHolding[];
  /** Sentences about what will not work, or not as expected. */
  readonly warnings: readonly string[];
}

/** Access to a brokerage account during a call. */
export interface BrokerAccess extends LinkedAccount {
  /** The kind of security that the bot trades: one account may hold both. */
  readonly type: Security;
  /**
   * Replaces the stored credentials, for a broker that renews them. When it resolves they are durable and in `credentials`. Does
   * nothing when they were replaced meanwhile.
   */
  readonly renew: (credentials: LinkedAccount['credentials']) => Promise<void>;
}

/** An order as it is sent to the broker. */
export interface BrokerOrderRequest {
  readonly clientOrderId: string;
  readonly stock: Stock;
  readonly action: Action;
  readonly amount: Decimal;
  /** The worst price that it may be filled at, a multiple of `priceStep`; null for a market order. */
  readonly limit: Decimal | null;
  /** True when it only reduces: the broker must not let it open or turn a position. */
  readonly closes: boolean;
}

/** The instruments of this service. An adapter looks up here which instrument its broker means: several exchanges may use one ticker. */
export interface Instruments {
  find(stockId: StockId): Stock | undefined;
  /** The same list until an instrument changes. */
  all(): readonly Stock[];
}

/** An order as the broker reports it. A rejection is an answer, not an error. */
export interface BrokerOrder {
  readonly clientOrderId: string;
  readonly stockId: StockId;
  readonly action: Action;
  readonly amount: Decimal;
  /**
   * `open` until nothing more can happen to it: acceptance is not a fill. `cancelled` is every end without the rest of the
   * fills, an expiry too; earlier fills stay. A word of the broker's that the adapter does not know is `open` for `find`, with
   * `unknownStatus`, and no answer of `place`: throw.
   */
  readonly status: 'open' | 'filled' | 'cancelled' | 'rejected';
  /** True for an open order whose cancellation is under way; it may still fill. */
  readonly cancelling: boolean;
  readonly filledAmount: Decimal;
  readonly filledPrice: Decimal | null;
  /**
   * What the broker charged for it so far, in the account's currency; a fee taken in the asset counts at the price of the
   * fill. Null when the broker does not tell it with the order.
   */
  readonly fee: Decimal | null;
  readonly reason: string | null;
}

/**
 * A broker. Every method may throw one of the errors below; any other error counts as `BrokerUnreachable`. Each ends within a minute: give
 * requests a time-out, because a check of a bot waits for it. Texts of errors are logged, so they have no credentials in them.
 */
export interface Broker {
  /** Adapter name, as used in `Bot.broker`: letters a to z, digits and `_`. */
  readonly name: string;
  /** True when it trades real money. */
  readonly live: boolean;
  /** The default of `existing_positions`; `keep` when absent. */
  readonly existingPositions?: ExistingPositions;
  /** The fields of `credentials`, as documented; newBot and updateBot refuse other fields by name. */
  readonly asksFor: readonly CredentialField[];
  /** Present if this server may ask for access on the broker's own page. */
  readonly consent?: BrokerConsent;
  /**
   * Checks the user's credentials and returns those to store, and what the account is and holds.
   * @throws {BrokerRefused} with the correction that the user must make.
   */
  link(request: BrokerLink): Promise<BrokerLinked>;
  /** Releases what the adapter holds for a deleted bot. Not retried after a failure; other bots may use the account. */
  unlink?(access: BrokerAccess): Promise<void>;
  /**
   * The account's current state. Throws rather than omit a position or guess a value, also a position of an instrument that this
   * service does not list. Positions of zero are omitted; the others come in any order. `equity` is the sum of `cash` and the
   * positions' values.
   */
  account(access: BrokerAccess, instruments: Instruments): Promise<BrokerAccount>;
  /**
   * What changed the account beside orders and was booked since then, each change once, by an id that it keeps; earlier ones may
   * be among them. In any order. Absent when the broker does not report it: then what comes in is no gain, and what goes out is a
   * loss.
   * @throws when the report may lack any of them.
   */
  activities?(
    access: BrokerAccess,
    instruments: Instruments,
    since: Timestamp,
  ): Promise<readonly AccountActivity[]>;
  /** How this account may trade each of the stocks now; those that it cannot trade are absent. */
  rules(
    access: BrokerAccess,
    stocks: readonly Stock[],
  ): Promise<ReadonlyMap<StockId, TradingRules>>;
  /**
   * Places at most one order per client order id: a repeat returns the first order. May return `open`; `find` returns later
   * states. An answer that cannot be read is `BrokerUnreachable`, never an order. The request leaves within a second of the call,
   * or it is not sent and `BrokerRateLimited` is thrown: a halt of trading meanwhile would come too late.
   */
  place(access: BrokerAccess, order: BrokerOrderRequest): Promise<BrokerOrder>;
  /**
   * The orders with these client order ids, by id. One that is absent was certainly never received by the broker. None of them was made
   * before `since`, by the clock of this service: a broker that must look through its orders need not look through older ones.
   * @throws when that is uncertain for any of them.
   */
  find(
    access: BrokerAccess,
    clientOrderIds: readonly string[],
    since?: Timestamp,
  ): Promise<ReadonlyMap<string, BrokerOrder>>;
  /** Requests cancellation; fills stay, and `find` tells when it ended. Does nothing to an order that is not open. */
  cancel(access: BrokerAccess, clientOrderId: string): Promise<void>;
  /** Closes the adapter's connections and timers; called once, when the server stops. */
  close?(): Promise<void>;
  /** Only for a broker inside this service: applies a corporate action to its accounts, once for each action id. */
  adjust?(action: StockAction): Promise<void>;
}

/** The methods of a broker that send requests for bots. */
export const BROKER_REQUESTS = [
  'link',
  'account',
  'activities',
  'rules',
  'place',
  'find',
  'cancel',
  'unlink',
] as const satisfies readonly (keyof Broker)[];
/** One of them. */
export type BrokerRequest = (typeof BROKER_REQUESTS)[number];

/** The brokers of this server, by their names. */
export type Brokers = ReadonlyMap<string, Broker>;

/** The broker gave no answer or an inconclusive one (timeout, 5xx): the request may have taken effect. */
export class BrokerUnreachable extends Error {
  override readonly name: string = 'BrokerUnreachable';
}

/**
 * The broker answers, but its account is between two states, and what it shows would be wrong: a holding has no price while a split of it
 * is booked, or a fill is not shown yet. It ends by itself within seconds, so it is no failure of the broker.
 */
export class AccountUnsettled extends BrokerUnreachable {
  override readonly name = 'AccountUnsettled';
}

/** Too many requests; this one had no effect. `retryAfter` is in milliseconds; `message` says why, for the owner of the account. */
export class BrokerRateLimited extends Error {
  override readonly name = 'BrokerRateLimited';
  constructor(
    readonly retryAfter: number,
    message = 'the broker asks to slow down',
  ) {
    super(message);
  }
}

/** Access was revoked or never valid (401, 403), or the request is wrong. It had no effect. */
export class BrokerRefused extends Error {
  override readonly name = 'BrokerRefused';
}
