import type { Stock, StockId, Timestamp } from '@slipstream/domain';
import type { FeedListener, SourceHealth } from '@slipstream/ports';

/** One source of a feed. It does everything in `beat` and when an answer or a message comes. */
export interface Source {
  readonly name: string;
  /** True when the source quotes the stock, or would. */
  quotes(stock: Stock): boolean;
  start(stocks: readonly Stock[], listener: FeedListener, now: () => Timestamp): void;
  /** Quotes these stocks too, or by another name than before. */
  add(stocks: readonly Stock[]): void;
  /** Stops quoting these stocks; another source may quote them. */
  leave(stockIds: readonly StockId[]): void;
  /** The stocks that matter most now, most important first, for a source that can quote only some of them at once. */
  prefer?(stockIds: readonly StockId[]): void;
  beat(): void;
  /** Its own, and that of what it hears beside it. */
  health(now: Timestamp): readonly SourceHealth[];
  stop(): void;
}

/** Hears nothing: the listener of a source that has not started. */
export const NOBODY: FeedListener = { quotes: () => {}, lost: () => {}, status: () => {} };

/** Why a halt ends whose stock is quoted by another symbol, or another source. */
export const OTHER_NAME = 'it is quoted by another name now';
