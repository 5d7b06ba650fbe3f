import type { Quote, Stock, StockId } from '@slipstream/domain';

/** Gets the quotes and changes of a feed, in order of receipt. */
export interface FeedListener {
  quotes(quotes: readonly Quote[]): void;
  /** The last quotes of these stocks are withdrawn: nothing trades at them until the next ones come. */
  lost(stockIds: readonly StockId[]): void;
  /** The venue halted the stock, or trades it again; `reason` is the venue's. A stock is `active` until the first call. */
  status(stockId: StockId, status: 'active' | 'halted', reason: string): void;
}

/** The health of one source of a feed. */
export interface SourceHealth {
  readonly name: string;
  /** Set if it tells something beside another source: no quote stands by it alone. */
  readonly isBeside?: true;
  /** Milliseconds since its last message; null before the first. */
  readonly age: number | null;
  /** Whether its quotes stand now, or what it tells beside them is heard. */
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
   * Quotes these stocks to `listener` until `stop`. `resume` has the last known quotes: a simulated or looped feed continues
   * from there, without a jump.
   */
  start(stocks: readonly Stock[], resume: readonly Quote[], listener: FeedListener): Promise<void>;
  /** Quotes these stocks too: they are new, listed again, or have another name than before. Absent if the stocks of `start` are all. */
  add?(stocks: readonly Stock[]): void;
  /** The stocks that matter most now, most important first: for a feed that can quote only some at once. */
  prefer?(stockIds: readonly StockId[]): void;
  /** The source that quotes the stock, shown as its `provider`; without an answer the stored one is shown. */
  sourceOf?(stock: Stock): string | undefined;
  /** Every source by its name, the same ones from the start to the end. None if quotes are pushed from outside. */
  health(): readonly SourceHealth[];
  /** Stops the feed: the listener is not called after it has resolved. May be called twice. */
  stop(): Promise<void>;
}
