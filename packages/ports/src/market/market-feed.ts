import type { Quote, Stock } from '@slipstream/domain';

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
   * Delivers quotes of these stocks to `receive`, in order of receipt, until `stop`. `resume` holds the last known
   * quotes: a simulated or looped feed continues from there, without a jump.
   */
  start(
    stocks: readonly Stock[],
    resume: readonly Quote[],
    receive: (quotes: readonly Quote[]) => void,
  ): Promise<void>;
  /** Stops the feed. No quote is delivered after it has resolved. May be called twice. */
  stop(): Promise<void>;
}
