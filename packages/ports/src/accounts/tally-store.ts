import type { Decimal, Timestamp } from '@slipstream/domain';

/** Counts uses of a limited action until its period ends, and sums what they used. */
export interface Tally {
  /** Identifies the action and the person, and reveals neither. */
  readonly name: string;
  readonly count: number;
  /** Every digit; zero for actions that are only counted. */
  readonly total: Decimal;
  readonly endsAt: Timestamp;
}

/** Keeps tallies by name. Absence is `undefined`; `save` adds or replaces. */
export interface TallyStore {
  find(name: string): Promise<Tally | undefined>;
  /** The names of tallies that ended at or before `now`, earliest end first, ties by name. */
  expired(now: Timestamp, limit: number): Promise<string[]>;
  save(tally: Tally): Promise<void>;
  remove(names: readonly string[]): Promise<void>;
}
