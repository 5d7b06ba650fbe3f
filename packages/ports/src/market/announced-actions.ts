import type {
  AnnouncedAction,
  AnnouncedActionId,
  SourcedAction,
  Stock,
  StockId,
  Timestamp,
} from '@slipstream/domain';

/** The answer of a source of corporate actions. */
export interface SourcedActions {
  /** In any order, each once. */
  readonly actions: readonly SourcedAction[];
  /** The stocks of which the source said nothing, for example because it refused their symbols: none of their actions is withdrawn. */
  readonly unanswered: readonly StockId[];
}

/** A source that announces corporate actions before they are in force. */
export interface AnnouncedActions {
  /** Its name, which tells its ids from those of other sources. */
  readonly source: string;
  /**
   * The actions of these stocks that are in force from a moment on with `from` <= moment < `to`, as far as they are announced.
   * @throws when an answer is incomplete or cannot be read: what is missing must not seem withdrawn.
   */
  between(stocks: readonly Stock[], from: Timestamp, to: Timestamp): Promise<SourcedActions>;
}

/** Keeps announced actions. `save` adds or replaces. */
export interface AnnouncedActionStore {
  find(actionId: AnnouncedActionId): Promise<AnnouncedAction | undefined>;
  /** Those that are pending or whose stock is held, by `dueAt`, ties by id. */
  open(): Promise<AnnouncedAction[]>;
  /** Those that are due at or after that moment, whatever became of them, by `dueAt`, ties by id. */
  dueSince(from: Timestamp): Promise<AnnouncedAction[]>;
  save(action: AnnouncedAction): Promise<void>;
}

/** The feed that quotes are from, and since when: quotes from before are another feed's. */
export interface QuoteFeed {
  readonly feed: string;
  readonly since: Timestamp;
}

/** Keeps the present feed. */
export interface QuoteFeedStore {
  /** Undefined before a feed was started. */
  find(): Promise<QuoteFeed | undefined>;
  save(feed: QuoteFeed): Promise<void>;
}
