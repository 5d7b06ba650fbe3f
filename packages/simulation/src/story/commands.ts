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

/** Placing and cancelling. `by` is the caller; absent, it is the owner. */
export type TradeCommand =
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
      readonly do: 'deleteOrder';
      readonly by?: UserName | undefined;
      readonly strategy: Place;
      readonly order: Place;
    };

/** What a charting platform sends. `heard`: the answer is sent to its end. */
export type AlertCommand =
  | {
      readonly do: 'newOrderWebhook';
      readonly by?: UserName | undefined;
      readonly strategy: Place;
      readonly stock: Place;
      readonly action: 'buy' | 'sell' | 'close';
      /** Hundredths. */
      readonly leverage: number;
      readonly pyramiding: number | null;
      readonly alertId?: number | null | undefined;
      readonly heard?: boolean | undefined;
    }
  /** What was sent before comes again, word for word; the newest is 0. */
  | { readonly do: 'sendAgain'; readonly alert: Place; readonly heard: boolean };

/** Strategies, who follows and listens, and who loses the right to. */
export type PeopleCommand =
  | {
      readonly do: 'newStrategy';
      readonly by: UserName;
      readonly type: 'stock' | 'cryptocurrency';
      readonly private: boolean;
    }
  | { readonly do: 'updateStrategy'; readonly strategy: Place; readonly private: boolean }
  | { readonly do: 'deleteStrategy'; readonly strategy: Place }
  | { readonly do: 'subscribe' | 'unsubscribe'; readonly by: UserName; readonly strategy: Place }
  | { readonly do: 'read'; readonly by: UserName; readonly strategy: Place };

/** Live streams. */
export type StreamCommand =
  | {
      readonly do: 'listen';
      readonly by: UserName;
      readonly channel: Channel;
      /** Of a strategy, or of a bot. */
      readonly of: Place;
    }
  | { readonly do: 'deleteToken'; readonly by: UserName }
  /** The client reads nothing more; so many bytes are unsent to it already. */
  | { readonly do: 'stall'; readonly client: Place; readonly unsent: number }
  /** It reads again. */
  | { readonly do: 'catchUp'; readonly client: Place };

export type BotCommand =
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
    };

/** What is paid, earned and withdrawn. */
export type MoneyCommand =
  | { readonly do: 'setPrice'; readonly strategy: Place; readonly price: number }
  | {
      readonly do: 'newPaymentSource';
      readonly by: UserName;
      readonly token:
        | 'test_card_paid'
        | 'test_card_declined'
        | 'test_card_retried'
        | 'test_card_chargeback'
        | 'test_card_chargeback_late'
        | 'test_card_dispute_won'
        | 'test_bank';
    }
  | { readonly do: 'retryInvoice'; readonly invoice: Place }
  /** Percent of what can be withdrawn. */
  | { readonly do: 'newWithdrawal'; readonly by: UserName; readonly percent: number }
  | { readonly do: 'deleteWithdrawal'; readonly withdrawal: Place };

/** What the operator says of stocks. */
export type OperatorCommand =
  | { readonly do: 'newQuotes'; readonly quotes: readonly QuoteMove[] }
  | { readonly do: 'updateStocks'; readonly stock: Place; readonly status: 'active' | 'halted' }
  | { readonly do: 'split'; readonly stock: Place; readonly ratio: '2' | '3' | '0.5' | '0.7' }
  /** Percent of the last price a share. */
  | { readonly do: 'dividend' | 'delist'; readonly stock: Place; readonly percent: number };

/** What happens without anybody. */
export type HostCommand =
  | { readonly do: 'advance'; readonly seconds: number }
  /** The host's clock is set back. */
  | { readonly do: 'setBack'; readonly seconds: number }
  /** The eve is shortly before an opening. */
  | { readonly do: 'advanceTo'; readonly moment: 'eve' | 'opening' | 'closing' }
  | { readonly do: 'tick' | 'runBots' | 'runBilling' | 'crash' }
  /** Half minutes in which every stock is quoted at its price. */
  | { readonly do: 'linger'; readonly rounds: number }
  /** What was sent under an Idempotency-Key comes again; the newest is 0. */
  | { readonly do: 'repeat'; readonly request: Place; readonly otherBody: boolean };

/** What can happen. */
export type Command = (
  | TradeCommand
  | AlertCommand
  | PeopleCommand
  | StreamCommand
  | BotCommand
  | MoneyCommand
  | OperatorCommand
  | HostCommand
) & {
  /** It is sent under this Idempotency-Key. */
  readonly key?: number | undefined;
};
