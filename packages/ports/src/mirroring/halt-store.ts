import type { Halt, HaltId, HaltScope, HaltTarget } from '@slipstream/domain';
import type { Page } from '../storage/page.js';

/** Keeps the halts of trading that stand. */
export interface HaltStore {
  find(haltId: HaltId): Promise<Halt | undefined>;
  /** The halts with exactly this subject, oldest first, ties by id. */
  on(target: HaltTarget): Promise<Halt[]>;
  /** Newest first, ties by the later id. */
  list(page: Page): Promise<Halt[]>;
  /** How many halts stand, by scope; a scope without any is zero. */
  count(): Promise<Readonly<Record<HaltScope, number>>>;
  save(halt: Halt): Promise<void>;
  /** Removes nothing when there is no such halt. */
  remove(haltId: HaltId): Promise<void>;
}
