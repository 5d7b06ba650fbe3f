import type { Event } from '@slipstream/ports';
import type { Answer } from '../storage/answer.js';
import type { Executor } from '../storage/session.js';

/** A transaction of the database, in which works run one after another. */
export interface Transaction extends Executor {
  /**
   * Begins the next one; throws what `isLocked` knows while another process writes. Without `isMerging`, the true by
   * default, each write is made by itself. `works`: of how many it is, where it may be carried; by default it may not.
   */
  begin(isMerging?: boolean, works?: number): Answer<void>;
  /** True while an answer of the database is awaited. */
  readonly isBusy: boolean;
  /** From now on queries are of the next work. `isAlone`: it shares the transaction with no other. */
  openWork(isAlone: boolean): void;
  /** Keeps the work's writes for the commit; throws when the database refuses one now. `events`: what the commit will tell of it. */
  keepWork(events: readonly Event[]): Answer<void>;
  /**
   * Takes back the work's writes, and none of earlier works. Never for one that is alone. False when some were made that
   * cannot be told from those of earlier works: then all must be rolled back.
   */
  undoWork(): Answer<boolean>;
  /** Resolves when all writes are durable. */
  commit(): Answer<void>;
  /** Absent when it is always committed here. */
  readonly carried?: CarriedTransaction;
  /** Takes back all writes, if a transaction is open. */
  rollback(): Answer<void>;
}

/** How a transaction is made in another thread, while the next one is decided. */
export interface CarriedTransaction {
  /** Whether the one that is open still can be. */
  isPossible(): boolean;
  /** Whether one of so many works shall be; `othersWait`: works wait until it is on its way. */
  isDue(works: number, othersWait: boolean): boolean;
  /**
   * Hands all writes over, in place of a commit. Only when nothing is under way. Resolves when they are durable; rejects when
   * nothing of them is there, or with `CommitsLost`.
   */
  carry(): Promise<void>;
  /** In place of that: makes here what was collected, so that nothing is left but the commit. */
  makeHere(): Answer<void>;
  /** Whether the one before was not made: what was decided since is void. */
  isVoid(): boolean;
}
