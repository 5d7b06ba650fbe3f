import type { Timestamp } from '@slipstream/domain';

/** How often something was done that may be done only so often, until its time is over. */
export interface Tally {
  /** Stands for what is counted and of whom, and tells neither. */
  readonly name: string;
  readonly count: number;
  readonly endsAt: Timestamp;
}

/** Keeps tallies by name. Absence is `undefined`; `save` adds or replaces. */
export interface TallyStore {
  find(name: string): Promise<Tally | undefined>;
  /** Names of those that end at or before `now`, longest over first, ties by name. */
  expired(now: Timestamp, limit: number): Promise<string[]>;
  save(tally: Tally): Promise<void>;
  remove(names: readonly string[]): Promise<void>;
}
