/** The shortest and the longest read lease, in milliseconds. */
const [SHORTEST, LONGEST] = [500, 1_500];
/** It is so many times what the last one had grown old by when the next arrived, at worst of late. */
const SPARE = 2;
/** What each sign of life leaves of that worst age: half of it after a minute and a half. */
const FADING = 0.998;

/**
 * How long after a sign of life its process answers from memory. Another one may end it, when it has no connection any more,
 * only after that. So it is as short as a steady database allows; a shorter one would make reads wait. Each sign of life says
 * how long it is. Times are in milliseconds, by the clock of the process.
 */
export class ReadLease {
  private worst = 0;
  private heardAt: number;
  private until = -Infinity;

  /** `now`: when a sign of life was sent that has arrived. */
  constructor(now: number) {
    this.heardAt = now;
  }

  /** The lease that a sign of life tells which is sent now. */
  sent(now: number): number {
    const lease = Math.round(Math.min(LONGEST, Math.max(SHORTEST, SPARE * this.worst)));
    // It may arrive without an answer: from then on others go by what it says.
    this.until = Math.min(this.until, now + lease);
    return lease;
  }

  /** It has arrived, as is known `now`. */
  heard(sentAt: number, lease: number, now: number): void {
    const age = Math.min(now - this.heardAt, LONGEST / SPARE);
    this.worst = Math.max(this.worst * FADING, age);
    this.heardAt = sentAt;
    this.until = sentAt + lease;
  }

  /** Whether nobody can have ended the process by now for want of a sign of life. */
  holds(now: number): boolean {
    return now < this.until;
  }
}
