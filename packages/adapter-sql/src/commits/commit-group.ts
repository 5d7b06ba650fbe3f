import { type Event, StorageUnavailable, type TransactionOptions } from '@slipstream/ports';
import { BatchRefused, TransactionLost, isStorageFailure } from '../storage/failures.js';
import { type Time, TransactionTimeout } from '../storage/host-time.js';
import type { RecordCache } from '../storage/record-cache.js';
import type { Confirmations } from './confirmations.js';
import type { CarriedTransaction, Transaction } from './transaction.js';
import {
  type OpenSession,
  type Rests,
  SLICE,
  type Session,
  openSession,
} from '../storage/session.js';

/** Uses of the stores after which a transaction counts as long. */
const MANY = 100;

/** A transaction that waits for its group. */
export interface QueuedTransaction {
  readonly work: (session: Session) => Promise<unknown>;
  readonly options: TransactionOptions<unknown>;
  /** Until when it waits for a locked database. */
  readonly lockDeadline: number;
  readonly resolve: (answer: unknown) => void;
  readonly reject: (error: unknown) => void;
  /** A transaction that has begun runs to its end, also when it is run again. */
  hasBegun: boolean;
}

/** False once nobody waits for the transaction any more, unless it has begun. */
export const isWanted = ({ hasBegun, options }: QueuedTransaction): boolean =>
  hasBegun || options.isWanted?.() !== false;

/** Shared by the groups of one storage. */
export interface GroupOptions {
  readonly transaction: Transaction;
  readonly records: RecordCache;
  readonly confirmations: Confirmations;
  readonly time: Time;
  readonly turn: () => Promise<void>;
  /** Called when a transaction begins and at each use of its stores. */
  readonly used: () => void;
  /** Called before each commit that writes something, and after it; readers use it to detect that they are late. */
  readonly committing: () => void;
  readonly committed: (isDone: boolean) => void;
  /** Called at the commit with the events of each transaction. */
  readonly deliver: (events: readonly Event[]) => void;
  /** Called with transactions that were carried and not made, or decided by such: they run again, before all others. */
  readonly runAgain: (transactions: readonly QueuedTransaction[]) => void;
}

/**
 * The result of a group: it is committed or refused, and its callers are answered, perhaps after others; then those of
 * `again` run, because one of the group hung, or its first part was due; or the database refused what one of them wrote,
 * and each must run by itself.
 */
export type GroupOutcome =
  | { readonly kind: 'done' }
  | { readonly kind: 'again' | 'apart'; readonly transactions: readonly QueuedTransaction[] };

/** After a commit of all but `rest`. */
const next = (rest: readonly QueuedTransaction[]): GroupOutcome =>
  rest.length > 0 ? { kind: 'again', transactions: rest } : { kind: 'done' };

/** Refuses transactions whose storage failed: none of their writes are ever made. */
export function refuseAll(transactions: readonly QueuedTransaction[], cause: unknown): void {
  const error = new StorageUnavailable('the database could not be written', { cause });
  for (const { reject } of transactions) reject(error);
}

/** Transactions that run one after another inside one begun database transaction. */
export class CommitGroup {
  private readonly records;
  private readonly rests: Rests;
  /** Called after the commit, in order. */
  private answers: (() => void)[] = [];
  private hasWritten = false;

  constructor(
    private readonly transactions: readonly QueuedTransaction[],
    private readonly options: GroupOptions,
    /** False for one that is by itself because the database refused it before. */
    private readonly isMerging: boolean,
  ) {
    const { records, time, turn } = options;
    this.records = records.openGroup();
    this.rests = { now: () => time.now(), turn, after: MANY };
  }

  async perform(timeout: Promise<never>): Promise<GroupOutcome> {
    const { time, turn, transaction, used, confirmations } = this.options;
    const began = time.now();
    let sliceBegan = began;
    for (const [place, asked] of this.transactions.entries()) {
      if (time.now() - sliceBegan > SLICE) {
        await turn();
        sliceBegan = time.now();
      }
      if (this.hasWritten && confirmations.isDue(time.now() - began, this.canBeCarried()))
        return this.commit(this.transactions.slice(place));
      const { work, reject } = asked;
      if (!isWanted(asked)) {
        const error = new StorageUnavailable('the work could not begin in time');
        this.answers.push(() => reject(error));
        continue;
      }
      asked.hasBegun = true;
      this.records.openWork();
      used();
      transaction.openWork(this.transactions.length === 1);
      const session = openSession(transaction, this.records, { used, rests: this.rests });
      try {
        await this.keepWork(asked, session, await Promise.race([work(session), timeout]));
      } catch (error) {
        const ended = await this.undoWork(asked, session, error);
        if (ended) return ended;
      } finally {
        session.end();
      }
    }
    return this.commit();
  }

  /** Keeps the writes of a transaction that succeeded. Throws when they are lost. */
  private async keepWork(
    { options, resolve, reject }: QueuedTransaction,
    session: OpenSession,
    answer: unknown,
  ): Promise<void> {
    const failure = session.failure();
    if (failure) throw failure;
    const { transaction } = this.options;
    if (!transaction.inTransaction) throw new TransactionLost('the transaction was rolled back');
    await transaction.keepWork(session.events);
    this.hasWritten ||= session.wrote();
    this.answers.push(() => {
      try {
        options.onCommit?.(answer);
        resolve(answer);
      } catch (error) {
        reject(error);
      } finally {
        this.options.deliver(session.events);
      }
    });
  }

  /** Rolls back a transaction that threw, and none before it. */
  private async undoWork(
    asked: QueuedTransaction,
    session: OpenSession,
    error: unknown,
  ): Promise<GroupOutcome | undefined> {
    const { reject } = asked;
    const { transaction } = this.options;
    if (error instanceof TransactionTimeout) {
      session.end();
      await this.rollback();
      reject(error);
      return { kind: 'again', transactions: this.transactions.filter((other) => other !== asked) };
    }
    const cause = session.failure() ?? error;
    if (isStorageFailure(cause)) return this.abort(cause);
    if (cause instanceof BatchRefused) {
      session.end();
      return this.runApart(cause);
    }
    if (!transaction.inTransaction)
      return session.failure() ? this.runApart(cause) : this.abort(cause);
    // The rest of it could otherwise write into the next transaction.
    session.end();
    if (session.wrote()) {
      if (this.transactions.length === 1) {
        if (transaction.carried?.isVoid()) return this.runApart(new BatchRefused());
        await this.rollback();
        this.answers.push(() => reject(error));
        return this.answer();
      }
      try {
        if (!(await transaction.undoWork())) return this.runApart(error);
      } catch (fault) {
        return this.abort(fault);
      }
      this.records.rollbackWork();
    }
    this.answers.push(() => reject(error));
    return undefined;
  }

  /** The transactions of `rest` did not begin, and are the next group. */
  private async commit(rest: readonly QueuedTransaction[] = []): Promise<GroupOutcome> {
    const { transaction, confirmations, committing, committed } = this.options;
    const works = this.transactions.length - rest.length;
    if (this.hasWritten && transaction.carried?.isDue(works, rest.length > 0))
      return this.carry(transaction.carried, rest);
    try {
      const made = transaction.carried?.makeHere();
      if (made) await made;
    } catch (error) {
      return isStorageFailure(error) ? this.abort(error) : this.runApart(error);
    }
    if (this.hasWritten) {
      committing();
      this.records.committing();
    }
    try {
      if (this.hasWritten) confirmations.requireKept();
      const durable = transaction.commit();
      // No wait when it is done: a reader between would see what was committed beside records of before.
      if (durable) await durable;
    } catch (error) {
      const outcome = isStorageFailure(error) ? this.abort(error) : this.runApart(error);
      if (this.hasWritten) committed(false);
      return outcome;
    }
    if (this.hasWritten) committed(true);
    this.records.promote(confirmations.commits());
    return this.answer(rest);
  }

  private canBeCarried(): boolean {
    return this.options.transaction.carried?.isPossible() === true;
  }

  /** Hands the writes over to be committed while the next group is decided. */
  private async carry(
    carried: CarriedTransaction,
    rest: readonly QueuedTransaction[],
  ): Promise<GroupOutcome> {
    const { confirmations } = this.options;
    await confirmations.idle();
    let made: Promise<void>;
    try {
      confirmations.requireKept();
      made = carried.carry();
    } catch (error) {
      return isStorageFailure(error) ? this.abort(error) : this.runApart(error);
    }
    const asked = this.asked(rest);
    confirmations.carry(made, {
      ...this.answering(asked),
      takeBack: () => this.records.forget(),
    });
    this.records.promote(confirmations.commits());
    return next(rest);
  }

  /** Answers the callers in order, once all that the transactions saw is durable. */
  private answer(rest: readonly QueuedTransaction[] = []): GroupOutcome {
    const { release, refuse } = this.answering(this.asked(rest));
    this.options.confirmations.confirm(release, refuse);
    return next(rest);
  }

  /** Those that did begin. */
  private asked(rest: readonly QueuedTransaction[]): readonly QueuedTransaction[] {
    return this.transactions.slice(0, this.transactions.length - rest.length);
  }

  private answering(asked: readonly QueuedTransaction[]) {
    return {
      release: () => {
        for (const answer of this.answers) answer();
      },
      refuse: (error: Error) => {
        if (error instanceof BatchRefused) return this.options.runAgain(asked);
        for (const { reject } of asked) reject(error);
      },
    };
  }

  /** The database refused a statement, perhaps of another transaction of the group than the one that ran. */
  private async runApart(error: unknown): Promise<GroupOutcome> {
    await this.rollback();
    if (this.isMerging) return { kind: 'apart', transactions: this.transactions };
    this.answers = this.transactions.map(
      ({ reject }) =>
        () =>
          reject(error),
    );
    return this.answer();
  }

  private async abort(cause: unknown): Promise<GroupOutcome> {
    await this.rollback();
    refuseAll(this.transactions, cause);
    return { kind: 'done' };
  }

  private async rollback(): Promise<void> {
    this.records.forget();
    try {
      await this.options.transaction.rollback();
    } catch {
      // The next group begins with it, and is refused when it fails again.
    }
  }
}
