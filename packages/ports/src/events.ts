import type {
  Book,
  BookChange,
  Bot,
  StockId,
  StrategyId,
  UserId,
  BotId,
  StrategyState,
  Notification,
  Decimal,
  Timestamp,
} from '@slipstream/domain';

/** A change, published after its commit. A lost event loses no state: the stores hold all of it. */
export type Event =
  | {
      readonly kind: 'book_changed';
      readonly strategyId: StrategyId;
      readonly at: Timestamp;
      readonly before: Book;
      readonly after: Book;
      readonly changes: readonly BookChange[];
      /** The stock of a corporate action that changed cash or a position without a fill; absent otherwise. */
      readonly adjusted?: StockId;
    }
  | {
      readonly kind: 'value_changed';
      readonly strategyId: StrategyId;
      readonly at: Timestamp;
      readonly value: Decimal | null;
      /** The event is published also when only this changed. */
      readonly state: StrategyState;
    }
  | { readonly kind: 'bot_changed'; readonly bot: Bot; readonly at: Timestamp }
  | { readonly kind: 'bot_deleted'; readonly botId: BotId; readonly at: Timestamp }
  | {
      readonly kind: 'notification_added';
      readonly notification: Notification;
      readonly at: Timestamp;
    }
  /** A user's rights may have shrunk (token revoked, subscription or strategy ended): streams check access again. */
  | {
      readonly kind: 'access_changed';
      readonly userId: UserId | null;
      readonly strategyId: StrategyId | null;
      readonly reason: string;
    };

/** Delivers the core's events to their listeners, in the order of publishing. */
export interface Events {
  publish(event: Event): void;
  /** Calls `listener` with every later event until the returned function is called. Listeners never throw into `publish`. */
  subscribe(listener: (event: Event) => void): () => void;
}
