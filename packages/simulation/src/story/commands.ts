/** A place in a list of existing things, so that a shorter story still makes sense. */
export type Place = number;

export const USERS = ['ada', 'bob', 'cyd'] as const;
export type UserName = (typeof USERS)[number];

export type Channel = 'wsOrders' | 'wsPositions' | 'wsStrategyValue' | 'wsBot' | 'wsAlerts';

export interface QuoteMove {
  readonly stock: Place;
  /** Percent of the last price. */
  readonly move: number;
  readonly kind: 'good' | 'wide' | 'crossed' | 'zero' | 'old' | 'future';
}

/** Placing and cancelling. `by` is the caller; without it, the owner. */
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
      /** The distance of the prices from the market, in percent of it. */
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

/** Alerts of a charting platform. `heard`: the answer arrives. */
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
  /** A sent alert is repeated word for word; the newest is 0. */
  | { readonly do: 'sendAgain'; readonly alert: Place; readonly heard: boolean };

/** Strategies, followers, listeners, and the loss of rights. */
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
  /** The client stops reading with this many bytes unsent. */
  | { readonly do: 'stall'; readonly client: Place; readonly unsent: number }
  /** The client reads again. */
  | { readonly do: 'catchUp'; readonly client: Place };

/** The band in hundredths of equity. */
export interface RebalanceWish {
  readonly band?: number;
  readonly cooldownHours?: number;
  readonly at?: string;
}

/** What an account, or a stock, meets at Alpaca. Most come, and go when they come again. */
export const VENUE_TROUBLES = [
  ...(['blocked', 'suspended', 'no_coins', 'no_margin', 'no_shorts', 'day_trader'] as const),
  ...(['halted', 'whole_shares', 'not_lent'] as const),
  ...(['deposit', 'withdrawal'] as const),
] as const;
export type VenueTrouble = (typeof VENUE_TROUBLES)[number];

export type BotCommand =
  | {
      readonly do: 'newBot';
      readonly by: UserName;
      readonly strategies: readonly Place[];
      readonly leverage: number;
      readonly closeOnStop: boolean;
      readonly rebalanceOnStart: boolean;
      readonly join?: 'new_only' | undefined;
      /** At a broker that trades real money; only the simulated one has a like. */
      readonly real?: boolean | undefined;
      readonly rebalance?: RebalanceWish | undefined;
    }
  | {
      readonly do: 'startBot' | 'stopBot' | 'resetBot' | 'deleteBot';
      readonly bot: Place;
      readonly by?: UserName | undefined;
    }
  | {
      readonly do: 'updateBot';
      readonly bot: Place;
      readonly leverage?: number | undefined;
      readonly rebalance?: RebalanceWish | 'every_trade' | undefined;
    }
  | {
      readonly do: 'haltTrading';
      readonly bot: Place;
      /** The operator halts any scope; the owner of the bot halts the own bots or this one. */
      readonly rank: 'operator' | 'owner';
      readonly scope: 'all' | 'broker' | 'user' | 'bot';
    }
  /** Who set it lifts it. */
  | { readonly do: 'resumeTrading'; readonly halt: Place }
  | {
      readonly do: 'foreignTrade';
      readonly bot: Place;
      readonly stock: Place;
      readonly dollars: number;
    }
  /** Something happens to the account or the stock at Alpaca. */
  | {
      readonly do: 'trouble';
      readonly what: VenueTrouble;
      readonly bot: Place;
      readonly stock: Place;
    };

/** Payments, earnings and withdrawals. */
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
  /** Percent of the amount that can be withdrawn. */
  | { readonly do: 'newWithdrawal'; readonly by: UserName; readonly percent: number }
  | { readonly do: 'deleteWithdrawal'; readonly withdrawal: Place }
  | { readonly do: 'deletePaymentSource'; readonly by: UserName; readonly source: Place }
  /** The strategy becomes private, and its owner ends that user's subscription. */
  | { readonly do: 'exclude'; readonly user: UserName; readonly strategy: Place }
  | { readonly do: 'deleteUser'; readonly by: UserName }
  /** The gateway's operator refunds so much of a charge, in percent; the notice may be lost. */
  | {
      readonly do: 'refundElsewhere';
      readonly charge: Place;
      readonly percent: number;
      readonly isTold: boolean;
    };

/** The operator's commands on stocks. */
export type OperatorCommand =
  | { readonly do: 'newQuotes'; readonly quotes: readonly QuoteMove[] }
  | { readonly do: 'updateStocks'; readonly stock: Place; readonly status: 'active' | 'halted' }
  | {
      readonly do: 'split';
      readonly stock: Place;
      readonly ratio: '2' | '3' | '0.5' | '0.7' | '1.05' | '10';
      /** Brokers of their own may have it earlier or later than the service; at the same moment unless it is named. */
      readonly broker?: 'before' | 'after' | undefined;
    }
  /** The oldest split that only brokers have is entered here. */
  | { readonly do: 'followSplit' }
  /** The symbol of a stock changes on one side, or on the side that still has the old one. */
  | { readonly do: 'rename'; readonly stock: Place; readonly side: 'broker' | 'service' }
  /** Percent of the last price per share. */
  | { readonly do: 'dividend' | 'delist'; readonly stock: Place; readonly percent: number };

/** A source announces a corporate action for the next morning. `other` is a merger, which is not booked. */
export interface AnnounceCommand {
  readonly do: 'announce';
  readonly stock: Place;
  readonly kind: 'split' | 'cash_dividend' | 'worthless' | 'other';
  /** Percent of the last price per share; the terms of a split follow from it. */
  readonly percent: number;
}

/** Events without a user. */
export type HostCommand =
  | { readonly do: 'advance'; readonly seconds: number }
  /** The host's clock is set back. */
  | { readonly do: 'setBack'; readonly seconds: number }
  /** The eve is shortly before an opening. */
  | { readonly do: 'advanceTo'; readonly moment: 'eve' | 'opening' | 'closing' }
  | { readonly do: 'tick' | 'runBots' | 'runBilling' | 'crash' }
  | AnnounceCommand
  /** Sources of corporate actions are asked. */
  | { readonly do: 'followMarket' }
  /** The daily figures of what owners mirror, and the overview of the operator. */
  | { readonly do: 'measureOwnerTrades' | 'getOverview' }
  /** Half minutes in which every stock is quoted at its price. */
  | { readonly do: 'linger'; readonly rounds: number }
  /** A request under an Idempotency-Key is repeated; the newest is 0. */
  | { readonly do: 'repeat'; readonly request: Place; readonly otherBody: boolean };

/** Every command. */
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
  /** The Idempotency-Key of the request. */
  readonly key?: number | undefined;
};
