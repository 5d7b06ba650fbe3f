import type { Session } from './stock.js';

/** A day of the exchanges that differs from their rules, such as a day of mourning or an early close that was announced. */
export interface MarketDay {
  /** The date in New York, `YYYY-MM-DD`. */
  readonly date: string;
  /** Null while the exchanges are closed all day. */
  readonly session: Session | null;
}
