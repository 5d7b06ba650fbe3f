import type { Timestamp } from '@slipstream/domain';

/** The time of day. Goes back only when the host corrects its clock. */
export interface Clock {
  now(): Timestamp;
  /**
   * False for a while after the time jumped ahead, because it may be wrong. Absent: it never jumps. Time that nobody saw pass makes
   * nothing due that cannot be undone.
   */
  isSure?(): boolean;
}

/** Whether what time alone makes due, and nobody can undo, may be done now. */
export const isSure = (clock: Clock): boolean => clock.isSure?.() ?? true;

/** The time by which something may have ended for good: by a clock in doubt nothing has. */
export const surelyBy = (clock: Clock): Timestamp => (isSure(clock) ? clock.now() : 0);
