import { StorageUnavailable, type TransactionOptions } from '@slipstream/ports';
import {
  type QueuedTransaction,
  CommitGroup,
  type GroupOptions,
  isWanted,
  refuseAll,
} from './commit-group.js';
import { isLocked } from '../storage/failures.js';
import { idleTimeout } from '../storage/host-time.js';
import type { Session } from '../storage/session.js';

const MAX_GROUP = 256;

/** Between two tries to get the write lock, in milliseconds. */
const RETRY_AFTER = { least: 5, most: 40 };

/**
 * Group commit: transactions that arrive together run one after another in one database transaction, with one fsync for all of
 * them and answers after it. One that throws rolls back only its own writes.
 */
export class CommitQueue {
  private waiting: QueuedTransaction[] = [];
  private running: Promise<void> | undefined;
  /** Those of a group that was carried and not made, and then others that were decided by it. */
  private again: readonly QueuedTransaction[] = [];
  /** Changes when a commit that writes is sent, and again when it is done. */
  private moments = 0;
  /** Transactions begun, and uses of their stores. */
  private uses = 0;
  private readonly group: GroupOptions;

  /** `lockTimeout`: how long a transaction waits for a locked database, in milliseconds. */
  constructor(
    private readonly options: Omit<GroupOptions, 'used' | 'committing' | 'committed' | 'runAgain'>,
    private readonly lockTimeout: number,
  ) {
    this.group = {
      ...options,
      used: () => {
        this.uses += 1;
      },
      committing: () => {
        this.moments += 1;
      },
      committed: (isDone) => {
        this.moments += 1;
        if (isDone) options.confirmations.wrote();
      },
      runAgain: (transactions) => {
        this.again = [...this.again, ...transactions];
        // Once all of them are known.
        this.running ??= Promise.resolve().then(() => this.performAll());
      },
    };
  }

  /** Resolves after the commit of the transaction's group; the port describes the options. */
  run<Answer>(
    work: (session: Session) => Promise<Answer>,
    options: TransactionOptions<Answer> = {},
  ): Promise<Answer> {
    return new Promise<Answer>((resolve, reject) => {
      this.waiting.push({
        work,
        options: options as TransactionOptions<unknown>,
        lockDeadline: this.options.time.now() + this.lockTimeout,
        resolve: resolve as (answer: unknown) => void,
        reject,
        hasBegun: false,
      });
      this.running ??= this.performAll();
    });
  }

  /** Commits so far that wrote something: it changes exactly when what readers can see does. */
  commits(): number {
    return this.options.confirmations.commits();
  }

  /** Changes when a commit that writes is sent, and again when it is done. */
  moment(): number {
    return this.moments;
  }

  /** Resolves when nothing waits any more, and everybody is answered. */
  async idle(): Promise<void> {
    const { confirmations } = this.options;
    while (this.running || !confirmations.isAtRest()) {
      await this.running;
      await confirmations.idle();
    }
  }

  private async performAll(): Promise<void> {
    const { turn } = this.options;
    while (this.waiting.length > 0 || this.again.length > 0) {
      await this.performAgain();
      // Transactions of this turn of the event loop join, and while more arrive, those of the next turn too. There is no timer, so a
      // lone transaction does not wait.
      for (let before = 0; before < this.waiting.length && this.waiting.length < MAX_GROUP;) {
        before = this.waiting.length;
        await turn();
      }
      await this.perform(this.waiting.splice(0, MAX_GROUP));
    }
    this.running = undefined;
  }

  private async performAgain(): Promise<void> {
    const { again } = this;
    this.again = [];
    await this.perform(again, true, true);
  }

  private async perform(
    asked: readonly QueuedTransaction[],
    isMerging = true,
    isHere = false,
  ): Promise<void> {
    const { transaction, turn, confirmations } = this.options;
    for (let transactions = asked; transactions.length > 0;) {
      if (isHere || !isMerging) await confirmations.idle();
      if (this.again.length > 0) await this.performAgain();
      const begun = await this.begin(transactions, isMerging, isHere);
      if (begun.length === 0) return;
      const group = new CommitGroup(begun, this.group, isMerging);
      const idle = idleTimeout(
        this.lockTimeout,
        () => this.uses,
        () => transaction.isBusy,
      );
      try {
        const outcome = await group.perform(idle.timeout);
        transactions = outcome.kind === 'again' ? outcome.transactions : [];
        if (transactions.length > 0) await turn();
        if (outcome.kind === 'apart')
          for (const one of outcome.transactions) await this.perform([one], false);
      } finally {
        idle.clear();
      }
    }
  }

  /** Begins the database transaction, and returns the transactions that must still run. */
  private async begin(
    asked: readonly QueuedTransaction[],
    isMerging: boolean,
    isHere: boolean,
  ): Promise<readonly QueuedTransaction[]> {
    const { transaction, time, confirmations } = this.options;
    const isPatient = (one: QueuedTransaction): boolean =>
      isWanted(one) && time.now() < one.lockDeadline;
    for (let group = remaining(asked, isWanted); group.length > 0;) {
      try {
        confirmations.requireSound();
        await transaction.begin(isMerging, isHere || !isMerging ? 0 : group.length);
        return group;
      } catch (error) {
        if (!isLocked(error)) {
          refuseAll(group, error);
          break;
        }
        group = remaining(group, isPatient, error);
        this.waiting = remaining(this.waiting, isPatient, error);
      }
      await time.wait(RETRY_AFTER.least + Math.random() * (RETRY_AFTER.most - RETRY_AFTER.least));
      group = remaining(group, isWanted);
    }
    return [];
  }
}

/** The transactions that keep waiting; the others are refused, and none of their writes are ever made. */
const remaining = (
  transactions: readonly QueuedTransaction[],
  waits: (asked: QueuedTransaction) => boolean,
  cause?: unknown,
): QueuedTransaction[] =>
  transactions.filter((asked) => {
    if (waits(asked)) return true;
    asked.reject(new StorageUnavailable('the work could not begin in time', { cause }));
    return false;
  });
