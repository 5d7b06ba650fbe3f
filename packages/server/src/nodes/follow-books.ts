import { KnownBooks } from '@slipstream/application';
import type { Log, Timers, UnitOfWork } from '@slipstream/ports';
import { systemPause } from '../system.js';

/** How often a read is due at most, in milliseconds. */
const EVERY = 1_000;
/** After a read that took long the next one waits for so many times that long: a twentieth of the time goes into reading. */
const REST = 20;

/** The database as a process sees it that does not own it. */
export interface Followed extends Pick<UnitOfWork, 'read'> {
  /** Another number when the process had to connect anew: the database may have lost commits. */
  connection(): number;
}

/** What a process that waits knows of the books, so that it serves soon when it owns the database. */
export class FollowedBooks {
  private books = new KnownBooks();
  private connection: number;
  private reading: Promise<void> | undefined;
  private restsUntil = -Infinity;
  private hasFailed = false;
  private readonly stop: () => void;

  constructor(
    private readonly followed: Followed,
    timers: Timers,
    private readonly log: Pick<Log, 'warn'>,
  ) {
    this.connection = followed.connection();
    this.stop = timers.every(EVERY, () => this.read());
    this.read();
  }

  /** Reads no more. Resolves with the books, some of them old; with none if those that were read may never have been committed. */
  async end(): Promise<KnownBooks> {
    this.stop();
    await this.reading;
    return this.followed.connection() === this.connection ? this.books : new KnownBooks();
  }

  private read(): void {
    if (performance.now() < this.restsUntil) return;
    this.reading ??= this.catchUp().finally(() => {
      this.reading = undefined;
    });
  }

  private async catchUp(): Promise<void> {
    const connection = this.followed.connection();
    if (connection !== this.connection) this.books = new KnownBooks();
    this.connection = connection;
    const began = performance.now();
    try {
      await this.books.catchUp(this.followed, systemPause);
      this.hasFailed = false;
    } catch (error) {
      if (!this.hasFailed) this.log.warn({ error }, 'could not read the books; will retry');
      this.hasFailed = true;
    }
    const now = performance.now();
    this.restsUntil = now + REST * (now - began);
  }
}
