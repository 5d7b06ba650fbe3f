import type { MarketDay } from '@slipstream/domain';

/** A source that knows the sessions of the exchanges. */
export interface MarketCalendar {
  /**
   * Every day from `from` to `to`, both included (dates in New York), in order: with its regular session, or with none. @throws when
   * an answer is incomplete or cannot be read.
   */
  between(from: string, to: string): Promise<readonly MarketDay[]>;
}

/** Keeps the days that differ from the rules. `save` adds or replaces by the date. */
export interface MarketDayStore {
  /** Those of that date and later, by date. */
  since(date: string): Promise<MarketDay[]>;
  save(day: MarketDay): Promise<void>;
}
