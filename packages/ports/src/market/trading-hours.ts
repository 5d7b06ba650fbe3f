import type { MarketDay, Session, TradedInstrument, Timestamp } from '@slipstream/domain';

/** The regular sessions of exchanges. The same moment always gives the same answer, unless its day is overridden. */
export interface TradingHours {
  /** The session that is open at `at`, or undefined when the stock's exchange is closed then. */
  sessionAt(stock: TradedInstrument, at: Timestamp): Session | undefined;
  /** The first session that opens after `at`; undefined for an exchange that is always open. */
  nextSession(stock: TradedInstrument, at: Timestamp): Session | undefined;
  /** From now on these days have these sessions instead of those by rule. Absent if there are no days that could differ. */
  override?(days: readonly MarketDay[]): void;
}
