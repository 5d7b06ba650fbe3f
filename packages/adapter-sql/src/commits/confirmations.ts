import { StorageUnavailable } from '@slipstream/ports';
import type { Answer } from '../storage/answer.js';
import { BatchRefused, CommitsLost } from '../storage/failures.js';
import type { Sync } from './log-sync.js';

/** Milliseconds: what takes less is waited for, because others could do little meanwhile. */
const SHORT = 1;

/**
 * A group is decided for so many times as long as a sync takes: small ones write the same pages again and again, and of
 * large ones too little is left to decide meanwhile.
 */
const DECIDED = 2;

/** Milliseconds for which a group is decided, while others wait, until it is carried. */
const CARRIED_AFTER = 4;

/** Whoever must not be answered before a commit is durable. */
interface Held {
  readonly commit: number;
  readonly release: () => void;
  readonly refuse: (cause: Error) => void;
}

/** What becomes of a group whose commit is carried. */
export interface Carried {
  /** It is durable. */
  readonly release: () => void;
  /** Whether it is durable will never be known; or it is not there. */
  readonly refuse: (cause: CommitsLost | BatchRefused) => void;
  /** Nothing of it is there: `refuse` follows, with `BatchRefused`. */
  readonly takeBack: () => void;
}

/**
 * A commit is written, and then confirmed. Later transactions see it at once; everybody else hears of it when it is
 * durable. Without a `sync` that is when it is written. One sync at a time serves all commits that were written before it.
 */
export class Confirmations {
  private written = 0;
  private confirmed = 0;
  private held: Held[] = [];
  private syncing: Promise<void> | undefined;
  private carrying: Promise<void> | undefined;
  /** Commits that were carried and not made. */
  private readonly takenBack = new Set<number>();
  /** Reads that must see what is carried, and nothing later. */
  private landing: (() => void)[] = [];
  private lost: CommitsLost | undefined;

  /** `onLost` is called when a sync failed, so that what the disk has is not known, or the database is not at its place: nothing is committed any more. */
  constructor(
    private readonly sync: Sync | undefined,
    private readonly onLost: (cause: unknown) => void,
  ) {}

  /** How many commits were written. */
  commits(): number {
    return this.written;
  }

  wrote(): void {
    this.written += 1;
  }

  /** Throws when nothing can be committed any more, as far as that is known without a look at the database's files. */
  requireSound(): void {
    if (this.lost) throw this.lost;
  }

  /** Before a commit. Throws when nothing can be committed any more: the disk failed, or the database is not at its place. */
  requireKept(): void {
    this.requireSound();
    try {
      this.sync?.requireInPlace();
    } catch (error) {
      throw this.lose(error);
    }
  }

  /** Whether works that took so many milliseconds shall be committed: the next can be decided while these are synced. */
  isDue(milliseconds: number, canBeCarried: boolean): boolean {
    if (canBeCarried) return this.isAtRest() && milliseconds >= CARRIED_AFTER;
    if (!this.sync || this.syncing) return false;
    const duration = this.sync.duration();
    return duration >= SHORT && milliseconds >= DECIDED * duration;
  }

  /** Answers a group, after all that was written before. */
  confirm(release: () => void, refuse: (cause: Error) => void): void {
    if (this.lost) return refuse(this.lost);
    if (!this.sync || this.isConfirmed(this.written)) return release();
    this.held.push({ commit: this.written, release, refuse });
    if (!this.isAtRest()) return;
    if (this.sync.duration() < SHORT) this.syncNow(this.sync);
    else this.syncLater(this.sync);
  }

  /**
   * Counts a commit that is carried as written: later transactions see it at once. Only when nothing is under way. When it is
   * not made, that counts as another commit: what readers can see has changed again.
   */
  carry(made: Promise<void>, { release, refuse, takeBack }: Carried): void {
    this.written += 1;
    const commit = this.written;
    this.carrying = made.then(
      () => {
        this.carrying = undefined;
        this.confirmAll(commit);
        this.land();
        release();
      },
      (error: unknown) => {
        this.carrying = undefined;
        if (error instanceof CommitsLost) {
          this.lose(error.cause);
          refuse(error);
        } else {
          takeBack();
          this.takeBack(commit, refuse);
        }
        this.land();
      },
    );
  }

  /** Calls it as soon as nothing is carried, before anything else can be; resolves after that, or at once. */
  afterLanding(see: () => void): Answer<void> {
    if (!this.carrying) return see();
    // An async function runs at once, and what it throws is in its promise.
    const seen = async (): Promise<void> => see();
    return new Promise((resolve) => this.landing.push(() => resolve(seen())));
  }

  /** True when that commit and all before it are durable, at once when they are; false when it was not made. */
  durable(commit: number): Answer<boolean> {
    if (this.takenBack.has(commit)) return false;
    if (!this.sync || this.isConfirmed(commit)) return true;
    return new Promise((resolve, reject) => {
      const refuse = (cause: Error): void => {
        if (cause instanceof BatchRefused) resolve(false);
        else reject(new StorageUnavailable('the database could not be read', { cause }));
      };
      if (this.lost) refuse(this.lost);
      else this.held.push({ commit, release: () => resolve(true), refuse });
    });
  }

  isAtRest(): boolean {
    return !this.syncing && !this.carrying;
  }

  /** Resolves when nothing is under way. */
  async idle(): Promise<void> {
    while (!this.isAtRest()) await (this.carrying ?? this.syncing);
  }

  private isConfirmed(commit: number): boolean {
    return commit <= this.confirmed;
  }

  /** Refuses the commit's own works first: the others were decided by it. */
  private takeBack(commit: number, refuse: Carried['refuse']): void {
    this.takenBack.add(commit);
    this.written += 1;
    // All before it was durable when it was carried.
    this.confirmed = this.written;
    const { held } = this;
    this.held = [];
    const refused = new BatchRefused();
    refuse(refused);
    for (const one of held) one.refuse(refused);
  }

  private land(): void {
    const { landing } = this;
    this.landing = [];
    for (const see of landing) see();
  }

  private syncNow(sync: Sync): void {
    try {
      sync.now();
    } catch (error) {
      this.lose(error);
      return;
    }
    this.confirmAll(this.written);
  }

  private syncLater(sync: Sync): void {
    const { written } = this;
    this.syncing = sync.later().then(
      () => {
        this.syncing = undefined;
        if (this.written > written) this.syncLater(sync);
        this.confirmAll(written);
      },
      (error: unknown) => {
        this.syncing = undefined;
        this.lose(error);
      },
    );
  }

  private confirmAll(commit: number): void {
    this.confirmed = commit;
    const { held } = this;
    this.held = held.filter((one) => !this.isConfirmed(one.commit));
    for (const one of held) if (this.isConfirmed(one.commit)) one.release();
  }

  /** A sync is never tried again: the system may have dropped what it could not write, and say then that all is well. */
  private lose(cause: unknown): CommitsLost {
    const lost = new CommitsLost(cause);
    this.lost = lost;
    const { held } = this;
    this.held = [];
    this.onLost(cause);
    for (const { refuse } of held) refuse(lost);
    return lost;
  }
}
