import type { Session, TradedInstrument, Timestamp } from '@slipstream/domain';

/** The regular sessions of exchanges. Pure: the same moment always gives the same answer. */
export interface TradingHours {
  /** The session that is open at `at`, or undefined when the stock's exchange is closed then. */
  sessionAt(stock: TradedInstrument, at: Timestamp): Session | undefined;
  /** The first session that opens after `at`; undefined for an exchange that is always open. */
  nextSession(stock: TradedInstrument, at: Timestamp): Session | undefined;
}
