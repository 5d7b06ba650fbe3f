import type { Session, TradedInstrument, Timestamp } from '@slipstream/domain';

/** When exchanges are in regular session. Pure: the same moment always gives the same answer. */
export interface TradingHours {
  /** The session that holds `at`, or undefined when the stock's exchange is closed then. */
  sessionAt(stock: TradedInstrument, at: Timestamp): Session | undefined;
  /** The first session that opens after `at`. Always open exchanges answer undefined. */
  nextSession(stock: TradedInstrument, at: Timestamp): Session | undefined;
}
