import type { Timestamp } from '@slipstream/domain';

/**
 * Says when regular work is due again. It is also due when the clock was set back since it was done: otherwise it would wait until
 * the clock is where it was.
 */
export class Throttle {
  private doneAt: Timestamp = -Infinity;
  private dueAt: Timestamp = -Infinity;

  isDue(now: Timestamp): boolean {
    return now >= this.dueAt || now < this.doneAt;
  }

  /** The work is done, or begins: it is due again after `interval` milliseconds. */
  done(now: Timestamp, interval: number): void {
    this.doneAt = now;
    this.dueAt = now + interval;
  }
}
