/** Places in the lists of what there is at that moment, so that a shorter story still makes sense. */
export type Place = number;

export const USERS = ['ada', 'bob', 'cyd'] as const;
export type UserName = (typeof USERS)[number];

export type Channel = 'wsOrders' | 'wsPositions' | 'wsStrategyValue' | 'wsBot';

export interface QuoteMove {
  readonly stock: Place;
  /** Percent of the last price. */
  readonly move: number;
  readonly kind: 'good' | 'wide' | 'crossed' | 'zero' | 'old' | 'future';
}

/** What can happen. `by` is the caller; absent, it is the owner. */
export type Command =
  | {
      readonly do: 'newStrategy';
      readonly by: UserName;
      readonly type: 'stock' | 'cryptocurrency';
      readonly private: boolean;
    }
  | { readonly do: 'updateStrategy'; readonly strategy: Place; readonly private: boolean }
  | { readonly do: 'deleteStrategy'; readonly strategy: Place }
  | {
      readonly do: 'newOrder';
      readonly by?: UserName | undefined;
      readonly strategy: Place;
      readonly stock: Place;
      readonly action: 'buy' | 'sell';
      readonly type: 'market' | 'limit' | 'stop_market' | 'stop_limit' | 'oco';
      readonly size: 'amount' | 'total';
      /** Percent of the strategy's value. */
      readonly percent: number;
      /** How far the prices are from the market, in percent of it. */
      readonly away: number;
      readonly after: readonly Place[];
      readonly reduceOnly: boolean;
    }
  | {
      readonly do: 'newOrderAllocations';
      readonly by?: UserName | undefined;
      readonly strategy: Place;
      readonly targets: readonly { readonly stock: Place; readonly percent: number }[];
    }
  | {
      readonly do: 'newOrderWebhook';
      readonly by?: UserName | undefined;
      readonly strategy: Place;
      readonly stock: Place;
      readonly action: 'buy' | 'sell' | 'close';
      /** Hundredths. */
      readonly leverage: number;
      readonly pyramiding: number | null;
    }
  | {
      readonly do: 'deleteOrder';
      readonly by?: UserName | undefined;
      readonly strategy: Place;
      readonly order: Place;
    }
  | { readonly do: 'newQuotes'; readonly quotes: readonly QuoteMove[] }
  | { readonly do: 'advance'; readonly seconds: number }
  /** The host's clock is set back. */
  | { readonly do: 'setBack'; readonly seconds: number }
  | {
      readonly do: 'updateStocks';
      readonly stock: Place;
      readonly status: 'active' | 'halted';
    }
  | { readonly do: 'advanceTo'; readonly moment: 'opening' | 'closing' }
  | { readonly do: 'subscribe' | 'unsubscribe'; readonly by: UserName; readonly strategy: Place }
  | { readonly do: 'read'; readonly by: UserName; readonly strategy: Place }
  | {
      readonly do: 'listen';
      readonly by: UserName;
      readonly channel: Channel;
      /** Of a strategy, or of a bot. */
      readonly of: Place;
    }
  | { readonly do: 'deleteToken'; readonly by: UserName }
  | {
      readonly do: 'newBot';
      readonly by: UserName;
      readonly strategies: readonly Place[];
      readonly leverage: number;
      readonly closeOnStop: boolean;
      readonly rebalanceOnStart: boolean;
    }
  | {
      readonly do: 'startBot' | 'stopBot' | 'resetBot' | 'deleteBot';
      readonly bot: Place;
      readonly by?: UserName | undefined;
    }
  | { readonly do: 'updateBot'; readonly bot: Place; readonly leverage: number }
  | {
      readonly do: 'foreignTrade';
      readonly bot: Place;
      readonly stock: Place;
      readonly dollars: number;
    }
  | { readonly do: 'tick' | 'runBots' | 'crash' };

export type StorageFault = 'crash_before' | 'crash_after' | 'full' | 'rolled_back';
export type BrokerFault =
  | 'crash_before'
  | 'crash_after'
  | 'lost_request'
  | 'lost_answer'
  | 'server_error'
  | 'refused'
  | 'duplicated'
  | 'reject'
  | 'partial'
  | 'rate_limited'
  | 'late';

/** What the `at`-th statement, commit, broker call or order sent to a broker of a step (from 0) meets. */
export type Fault =
  | { readonly on: 'storage' | 'commit'; readonly at: number; readonly kind: StorageFault }
  | { readonly on: 'broker' | 'place'; readonly at: number; readonly kind: BrokerFault };

/** Commands that are given at the same time, mostly one. */
export interface Step {
  readonly commands: readonly Command[];
  readonly faults: readonly Fault[];
  /** Who goes on when several could. */
  readonly order: readonly number[];
}

/** What has happened before the first step, so that stories come to their point. */
export const OPENINGS = ['bare', 'waiting', 'watched', 'mirrored'] as const;
export type Opening = (typeof OPENINGS)[number];

/** Everything that a run depends on: the same story is the same run, byte for byte. */
export interface Story {
  readonly opening: Opening;
  /** Reads that name no order answer backwards, so that nobody relies on it. */
  readonly reversed: boolean;
  /** The brokers buy whole shares only, and cross zero in two orders. */
  readonly strictBroker: boolean;
  readonly steps: readonly Step[];
}
