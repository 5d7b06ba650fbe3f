import type {
  Adjustment,
  AlertRecord,
  Book,
  BookChange,
  Bot,
  BotOrder,
  StrategyId,
  UserId,
  BotId,
  Halt,
  StrategyState,
  Notification,
  Decimal,
  Timestamp,
} from '@slipstream/domain';

/** A change. A lost event loses no state: the stores hold all of it. */
export type Event =
  | {
      readonly kind: 'book_changed';
      readonly strategyId: StrategyId;
      readonly at: Timestamp;
      readonly before: Book;
      readonly after: Book;
      readonly changes: readonly BookChange[];
      /** The corporate action that changed the book; absent otherwise. */
      readonly adjusted?: Pick<Adjustment, 'stockId' | 'kind'>;
    }
  | {
      readonly kind: 'value_changed';
      readonly strategyId: StrategyId;
      readonly at: Timestamp;
      readonly value: Decimal | null;
      /** The event is published also when only this changed. */
      readonly state: StrategyState;
    }
  /** Prices of stocks that the strategy holds have changed. */
  | { readonly kind: 'prices_moved'; readonly strategyId: StrategyId; readonly at: Timestamp }
  | { readonly kind: 'bot_changed'; readonly bot: Bot; readonly at: Timestamp }
  /** A bot planned an order, or its state at the broker changed. */
  | { readonly kind: 'bot_order_changed'; readonly order: BotOrder; readonly at: Timestamp }
  | { readonly kind: 'bot_deleted'; readonly botId: BotId; readonly at: Timestamp }
  /** A halt of trading was set or lifted. */
  | { readonly kind: 'halt_changed'; readonly halt: Halt; readonly at: Timestamp }
  | {
      readonly kind: 'notification_added';
      readonly notification: Notification;
      readonly at: Timestamp;
    }
  /** An alert entered the inbox, or its verdict or reason changed later. */
  | {
      readonly kind: 'alert_added' | 'alert_changed';
      readonly alert: AlertRecord;
      readonly at: Timestamp;
    }
  /** A user's rights may have shrunk (token revoked, subscription or strategy ended): streams check access again. */
  | {
      readonly kind: 'access_changed';
      readonly userId: UserId | null;
      readonly strategyId: StrategyId | null;
      readonly reason: string;
    };

/** Collects the events of one transaction. */
export interface EventStore {
  /** The event is delivered to the listeners of the unit of work at the commit of the transaction, and never without one. */
  add(event: Event): Promise<void>;
}

/**
 * Delivers the core's events inside the process, in the order of publishing. What a transaction changes is added to it
 * (`stores.events`), and published at its commit. The core publishes by itself only what no transaction causes: the values
 * that follow from quotes.
 */
export interface Events {
  publish(event: Event): void;
  /** Calls `listener` with every later event until the returned function is called. Listeners never throw into `publish`. */
  subscribe(listener: (event: Event) => void): () => void;
}
