import type { Quote, Stock, StockId } from '@slipstream/domain';

/** Hears what a feed tells, in order of receipt. */
export interface FeedListener {
  quotes(quotes: readonly Quote[]): void;
  /** Their last quotes stand no longer: nothing trades at them until the next ones come. */
  lost(stockIds: readonly StockId[]): void;
  /** The venue has halted the stock, or trades it again, and the venue's reason. A stock is `active` until it is told. */
  status(stockId: StockId, status: 'active' | 'halted', reason: string): void;
}

/** How one source of a feed is. */
export interface SourceHealth {
  readonly name: string;
  /** Milliseconds since it last told anything; null before it did. */
  readonly age: number | null;
  /** Whether its quotes stand now. */
  readonly healthy: boolean;
  /** How often its connection was replaced since the start. */
  readonly reconnects: number;
  /** The quotes that were not taken since the start, by reason. */
  readonly drops: Readonly<Record<string, number>>;
}

/** The source of quotes. */
export interface MarketFeed {
  /** True only when quotes arrive through newQuotes. */
  readonly acceptsQuotes: boolean;
  /**
   * True when the feed itself quotes the new shares after a split (newStockAction), as a real market does. False when it
   * does not know splits: the core then divides its quotes until the feed is started again, from quotes in new shares.
   */
  readonly quotesNewShares: boolean;
  /** A notice for users when the prices are not the market's own, for example that they are simulated; null otherwise. */
  readonly notice: string | null;
  /**
   * Tells `told` of these stocks until `stop`. `resume` holds the last known quotes: a simulated or looped feed continues
   * from there, without a jump.
   */
  start(stocks: readonly Stock[], resume: readonly Quote[], told: FeedListener): Promise<void>;
  /** Tells of these stocks too, which are new or named otherwise than before. Absent if it tells of those of `start` only. */
  add?(stocks: readonly Stock[]): void;
  /** The stocks that matter most now, most important first: for a feed that can tell only some at once. */
  prefer?(stockIds: readonly StockId[]): void;
  /** The source that quotes the stock, shown as its `provider`; without an answer the stored one is shown. */
  sourceOf?(stock: Stock): string | undefined;
  /** Every source by its name, the same ones from the start to the end. None if quotes are pushed from outside. */
  health(): readonly SourceHealth[];
  /** Stops the feed. Nothing is told after it has resolved. May be called twice. */
  stop(): Promise<void>;
}
