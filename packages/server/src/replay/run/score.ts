import type { Decimal, Stock, StockId, Timestamp } from '@slipstream/domain';
import type { TradingHours } from '@slipstream/ports';
import type { Bar, DataAction } from '../data/bar.js';
import type { StockQuotes } from './bar-quotes.js';
import type { Moment } from './moments.js';

/** An order of the user's, for a moment. */
export interface Command {
  readonly at: Timestamp;
  /** Names its source in messages. */
  readonly place: string;
  /** The stocks that must have been quoted. */
  readonly needs: readonly StockId[];
  /**
   * An order for this stock that arrives in its session is performed at the stock's first later quote, as it would be live, where a quote
   * is always there: another one of the same moment must not replace it while it waits. Null: placed at its moment, to wait.
   */
  readonly arrivesFor: Stock | null;
  /** @throws Refusal */
  perform(): Promise<unknown>;
}

/** A split or a dividend, for the moment at which it is booked. */
export interface TimedAction {
  readonly at: Timestamp;
  readonly symbol: number;
  readonly stockId: StockId;
  readonly action: DataAction;
}

/** What the player tells while it plays. */
export interface PlayerListener {
  /** The value at the last quotes of a day, or null where it is unknown. */
  dayEnded(at: Timestamp, value: Decimal | null): void;
  refused(at: Timestamp, place: string, reason: string): void;
  /** All bars that closed at that moment; in the warm-up they only become history. */
  closed(at: Timestamp, bars: readonly Bar[], isWarmUp: boolean): Promise<void>;
  /** The number of bars that were played. A rejection ends the replay. */
  progressed(bars: number, at: Timestamp): Promise<void>;
}

export interface Score {
  readonly moments: Iterable<Moment>;
  /** In order of time. */
  readonly commands: readonly Command[];
  readonly actions: readonly TimedAction[];
  /** Bars that start earlier only become history. */
  readonly startAt: Timestamp;
  /** By the place of a symbol. */
  readonly stockIds: readonly StockId[];
  readonly quotes: readonly StockQuotes[];
  readonly hours: Pick<TradingHours, 'sessionAt'>;
}
