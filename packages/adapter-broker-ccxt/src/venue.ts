import type { Action, Decimal, TradingRules } from '@slipstream/domain';
import type {
  BrokerOrder,
  CredentialField,
  LinkedAccount,
  RequestAllowance,
  Urgency,
} from '@slipstream/ports';
import type { Counted, ExchangeApi, ExchangeKey } from './exchange-api.js';
import type { Refusals } from './meaning.js';

/** A market of a coin against US dollars. */
export interface Market {
  /** The coin's name at all exchanges, such as `BTC`. */
  readonly code: string;
  /** The exchange's name of the market, as orders have it. */
  readonly id: string;
  readonly amountStep: Decimal;
  readonly priceStep: Decimal;
  readonly minAmount: Decimal;
  readonly minTotal: Decimal;
  /** The largest order by amount and by value, where the market tells them. */
  readonly maxAmount: Decimal | undefined;
  readonly maxTotal: Decimal | undefined;
  /** The highest fee of an order that fills at once, where the market tells it. */
  readonly fee: Decimal | undefined;
}

/** A market as a list of hundreds has it. */
export interface Listing extends Pick<Market, 'code' | 'id'> {
  /** What else the exchange's answers call it. */
  readonly alias: string;
  /** Reads the rest of its row. @throws {BrokerUnreachable} when it cannot be read. */
  market(): Market;
}

/** A currency of an account, coins and dollars alike. */
export interface Balance {
  readonly code: string;
  /** With what open orders hold. */
  readonly total: Decimal;
  readonly available: Decimal;
}

/** Money or coins that were moved in or out. */
export interface Movement {
  readonly id: string;
  readonly at: number;
  /** The exchange's word for it. */
  readonly name: string;
  readonly code: string;
  /** Signed, less its fee. */
  readonly amount: Decimal;
}

/** What a key opens, and what it may do. */
export interface KeyInfo {
  readonly accountId: string;
  readonly mayWithdraw: boolean;
  readonly mayTrade: boolean;
}

/** An order as it is sent: `market` is where, the rest as the port has it. */
export interface VenueOrder {
  readonly clientOrderId: string;
  readonly market: Market;
  readonly action: Action;
  readonly amount: Decimal;
  readonly limit: Decimal | null;
}

/** An order as an exchange has it, also one that it calls filled beside a smaller fill; `marketName` is a market's id or alias. */
export interface FoundOrder extends Omit<BrokerOrder, 'clientOrderId' | 'stockId'> {
  readonly marketName: string;
}

/** One exchange, as ccxt speaks with it. */
export interface Venue extends Refusals {
  readonly name: 'kraken' | 'coinbase';
  /** Its name in our table of coins. */
  readonly exchange: string;
  readonly asksFor: readonly CredentialField[];
  /** @throws {BrokerRefused} what cannot be a key of this exchange. */
  keyOf(given: LinkedAccount['credentials']): ExchangeKey;
  readonly allowances: Readonly<Record<Counted, RequestAllowance>>;
  keyInfo(api: ExchangeApi): Promise<KeyInfo>;
  /** All its markets of coins against dollars. */
  markets(api: ExchangeApi): Promise<readonly Listing[]>;
  /** Whether each of these markets, by their ids, trades now; one that the exchange left out is halted. */
  sessions(
    api: ExchangeApi,
    ids: readonly string[],
  ): Promise<ReadonlyMap<string, TradingRules['session']>>;
  /** By the ids of the markets. */
  prices(api: ExchangeApi, ids: readonly string[]): Promise<ReadonlyMap<string, Decimal>>;
  /** What an order of this account that fills at once costs, where the market does not tell it. */
  fee?(api: ExchangeApi): Promise<Decimal>;
  /** Of one moment. */
  balances(api: ExchangeApi): Promise<readonly Balance[]>;
  /** What was moved in or out since then; absent where the exchange does not report it. */
  movements?(api: ExchangeApi, since: number): Promise<readonly Movement[]>;
  /** Sends the order. When it resolves the exchange has it. */
  place(api: ExchangeApi, order: VenueOrder, urgency: Urgency): Promise<void>;
  /**
   * Those of the client order ids that the exchange took before, which it would take again: asked once for each account, before
   * its first order. Absent where the exchange answers a repeated id with its first order.
   */
  taken?(api: ExchangeApi): Promise<(clientOrderId: string) => boolean>;
  /**
   * All that its lists have of these orders, none of which was placed before `since`.
   * @throws when they have not shown all of the time in which they may have been placed.
   */
  find(
    api: ExchangeApi,
    clientOrderIds: readonly string[],
    since: number,
  ): Promise<ReadonlyMap<string, FoundOrder>>;
  /** One order that those lists do not have: they show only the latest. Absent where they show all. */
  lookUp?(api: ExchangeApi, clientOrderId: string): Promise<FoundOrder | undefined>;
  /** Whether the exchange has taken the cancellation: it does not of an order that is not open, and may not know one yet. */
  cancel(api: ExchangeApi, clientOrderId: string): Promise<boolean>;
}
