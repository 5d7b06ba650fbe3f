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

/** Something that happened, told after its commit. Losing one loses nothing: state is what the stores hold. */
export type Event =
  | {
      readonly kind: 'book_changed';
      readonly strategyId: StrategyId;
      readonly at: Timestamp;
      readonly before: Book;
      readonly after: Book;
      readonly changes: readonly BookChange[];
      /** The stock of a corporate action, which moved cash or a position without a fill; absent otherwise. */
      readonly adjusted?: StockId;
    }
  | {
      readonly kind: 'value_changed';
      readonly strategyId: StrategyId;
      readonly at: Timestamp;
      readonly value: Decimal | null;
      /** It is told too when nothing but this has changed. */
      readonly state: StrategyState;
    }
  | { readonly kind: 'bot_changed'; readonly bot: Bot; readonly at: Timestamp }
  | { readonly kind: 'bot_deleted'; readonly botId: BotId; readonly at: Timestamp }
  | {
      readonly kind: 'notification_added';
      readonly notification: Notification;
      readonly at: Timestamp;
    }
  /** A user's rights may have shrunk (token revoked, subscription or strategy ended): streams check again. */
  | {
      readonly kind: 'access_changed';
      readonly userId: UserId | null;
      readonly strategyId: StrategyId | null;
      readonly reason: string;
    };

/** Carries events from the core to whoever streams them, in order of publishing. */
export interface Events {
  publish(event: Event): void;
  /** Calls `listener` with every later event until the returned function is called. Listeners never throw into `publish`. */
  subscribe(listener: (event: Event) => void): () => void;
}
