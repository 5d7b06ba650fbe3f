import type { Quote, Stock } from '@slipstream/domain';

/** Where quotes come from. */
export interface MarketFeed {
  /** True when quotes come from outside by newQuotes, and only then. */
  readonly acceptsQuotes: boolean;
  /**
   * True when after a split (newStockAction) it quotes the new shares by itself, as a real market does. False when it
   * knows no splits: the core then divides what it quotes until it is started again, from quotes in new shares.
   */
  readonly quotesNewShares: boolean;
  /** Said to users when the prices are not the market's own, e.g. that they are simulated; null otherwise. */
  readonly notice: string | null;
  /**
   * Starts to hand over quotes of these stocks, in order of receipt, until `stop`. `resume` holds the last known
   * quotes: a simulated or looped feed goes on from there, without a jump.
   */
  start(
    stocks: readonly Stock[],
    resume: readonly Quote[],
    receive: (quotes: readonly Quote[]) => void,
  ): Promise<void>;
  /** No quote is handed over after it resolved. May be called twice. */
  stop(): Promise<void>;
}
