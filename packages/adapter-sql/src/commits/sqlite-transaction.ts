import type { Connection } from '../storage/connection.js';
import {
  BatchRefused,
  ChangedByAnother,
  isLocked,
  isStorageFailure,
  queryFailure,
} from '../storage/failures.js';
import type { Query } from '../storage/queries.js';
import { type Answer, after } from '../storage/answer.js';
import type { Executor } from '../storage/session.js';
import { type OwnWrite, OwnWrites } from './own-writes.js';
import type { CarriedTransaction, Transaction } from './transaction.js';

/** Executes at once, on a connection that is in a transaction. */
export class SqliteExecutor implements Executor {
  constructor(protected readonly connection: Connection) {}

  get inTransaction(): boolean {
    return this.connection.inTransaction;
  }

  rows({ sql, parameters }: Query<unknown>): Answer<unknown[]> {
    return this.connection.statement(sql).all(parameters);
  }

  row({ sql, parameters }: Query<unknown>): Answer<unknown> {
    return this.connection.statement(sql).get(parameters);
  }

  each({ sql, parameters }: Query<unknown>, visit: (row: unknown) => void): Answer<void> {
    for (const row of this.connection.statement(sql).iterate(parameters)) visit(row);
  }

  write(query: Query<unknown>, changes?: number): void {
    const changed = this.make(query);
    if (changes !== undefined && changed !== changes) throw new ChangedByAnother();
  }

  change(query: Query<unknown>): Answer<number> {
    return this.make(query);
  }

  protected make({ sql, parameters }: Query<unknown>): number {
    return this.connection.statement(sql).run(parameters).changes;
  }
}

/** Writes that a work collects at most; a work with more of them makes them as it goes, between rests. */
const MOST = 50;

/** Works of a transaction from which on a thread makes it: for fewer, the way there takes longer than is saved. */
export const CARRIED_FROM = 8;

/** Who makes transactions in another thread, one at a time. */
export interface Carrier {
  /** `isWanted`: it shall be soon, if it is not. */
  isReady(isWanted: boolean): boolean;
  /** Resolves when the writes are durable. */
  carry(writes: readonly OwnWrite[]): Promise<void>;
  /** Ends it; nothing may be under way. */
  close(): Promise<void>;
}

/** A transaction that was carried: the next one is decided by what it wrote. */
interface Ahead {
  state: 'under_way' | 'made' | 'refused';
  readonly ended: Promise<void>;
}

/**
 * The transactions of the connection that writes. A work's writes are made when it is done, or before it reads what they may
 * have changed; only then, in a transaction that it shares, does it need a savepoint, for which SQLite copies every page
 * that changes.
 *
 * With a carrier the writes of all works are collected, and nothing is begun: a transaction of many works is made in another
 * thread. As soon as a work reads what the transaction may have changed, it is begun here.
 */
export class SqliteTransaction extends SqliteExecutor implements Transaction {
  private readonly own = new OwnWrites();
  private isAlone = true;
  private hasSavepoint = false;
  /** Some of the work's writes were made, without a savepoint. */
  private isHalfMade = false;
  /** The writes of the works that are done, as long as all of them are collected. */
  private collected: OwnWrites | undefined;
  private ahead: Ahead | undefined;
  private waiting = 0;
  /** Which work it is: a query that waited may be of one before. */
  private work = 0;

  /** `carriedFrom`: of so many works at least is a transaction that the carrier makes. */
  constructor(
    connection: Connection,
    private readonly carrier?: Carrier,
    private readonly carriedFrom = CARRIED_FROM,
  ) {
    super(connection);
  }

  override get inTransaction(): boolean {
    return this.collected !== undefined || this.connection.inTransaction;
  }

  get isBusy(): boolean {
    return this.waiting > 0;
  }

  readonly carried: CarriedTransaction = {
    isPossible: () => this.collected !== undefined,
    isDue: (works, othersWait) =>
      this.collected !== undefined &&
      this.collected.count > 0 &&
      (othersWait || works >= this.carriedFrom),
    carry: () => this.carry(),
    makeHere: () => (this.collected && this.collected.count > 0 ? this.opened() : undefined),
    isVoid: () => this.ahead?.state === 'refused',
  };

  begin(_isMerging = true, works = 0): void {
    this.rollback();
    // What is not made runs again before all others, and never by the carrier.
    if (this.ahead?.state === 'made' || works === 0) this.ahead = undefined;
    const isWorthIt = works >= this.carriedFrom;
    if (works > 0 && this.carrier?.isReady(isWorthIt)) this.collected = new OwnWrites();
    else this.execute('BEGIN IMMEDIATE');
  }

  openWork(isAlone: boolean): void {
    this.isAlone = isAlone;
    this.hasSavepoint = false;
    this.work += 1;
    this.own.take();
  }

  override rows(query: Query<unknown>): Answer<unknown[]> {
    return after(this.makeFor(query), () => super.rows(query));
  }

  override row(query: Query<unknown>): Answer<unknown> {
    return after(this.makeFor(query), () => super.row(query));
  }

  override each(query: Query<unknown>, visit: (row: unknown) => void): Answer<void> {
    return after(this.makeFor(query), () => super.each(query, visit));
  }

  override write(query: Query<unknown>, changes?: number): void {
    this.own.add(query, changes);
    if (this.own.count < MOST || this.ahead?.state === 'under_way') return;
    void this.opened();
    this.makeOwn();
  }

  override change(query: Query<unknown>): Answer<number> {
    const { work } = this;
    return after(this.opened(), () => {
      if (work !== this.work) throw new Error('the work of this query has ended');
      this.makeOwn();
      return this.make(query);
    });
  }

  keepWork(): Answer<void> {
    if (this.collected && this.own.count < MOST) return this.collected.addAll(this.own.take());
    return after(this.opened(), () => this.keepMade());
  }

  undoWork(): boolean {
    this.own.take();
    if (this.hasSavepoint) {
      this.execute('ROLLBACK TO work');
      this.execute('RELEASE work');
    }
    return !this.isHalfMade;
  }

  commit(): void {
    if (this.ahead?.state === 'refused') this.dropped();
    if (this.collected?.count === 0) this.collected = undefined;
    else this.execute('COMMIT');
  }

  rollback(): void {
    this.work += 1;
    this.own.take();
    this.collected = undefined;
    this.isHalfMade = false;
    if (this.connection.inTransaction) this.execute('ROLLBACK');
  }

  private keepMade(): void {
    if (this.hasSavepoint) {
      this.makeOwn();
      this.execute('RELEASE work');
      return;
    }
    this.isHalfMade = true;
    this.makeAll(this.own);
    this.isHalfMade = false;
  }

  /** What the database shows then is what the query must see. */
  private makeFor(read: Query<unknown>): Answer<void> {
    const isOwn = this.own.isTouchedBy(read);
    if (!this.collected) return isOwn ? this.makeOwn() : undefined;
    if (!isOwn && !this.collected.isTouchedBy(read)) return this.landed();
    return after(this.opened(), () => (this.own.count > 0 ? this.makeOwn() : undefined));
  }

  /** Makes them so that the work can still be undone alone. */
  private makeOwn(): void {
    if (!this.isAlone && !this.hasSavepoint) {
      this.execute('SAVEPOINT work');
      this.hasSavepoint = true;
    }
    this.makeAll(this.own);
  }

  private carry(): Promise<void> {
    const { carrier, collected } = this;
    if (!carrier || !collected) throw new Error('there is nothing to carry');
    if (this.ahead?.state === 'refused') this.dropped();
    this.collected = undefined;
    const ended = carrier.carry(collected.take());
    const ahead: Ahead = { state: 'under_way', ended };
    this.ahead = ahead;
    return ended.then(
      () => void (ahead.state = 'made'),
      (error: unknown) => {
        ahead.state = 'refused';
        throw error;
      },
    );
  }

  /** Begins the transaction here, with what was collected. */
  private opened(): Answer<void> {
    return this.collected ? after(this.landed(), () => this.open()) : undefined;
  }

  private open(): void {
    const { collected } = this;
    // Another use of the stores may have come first.
    if (!collected) return;
    this.collected = undefined;
    try {
      this.execute('BEGIN IMMEDIATE');
      this.makeAll(collected);
    } catch (error) {
      if (this.connection.inTransaction) this.execute('ROLLBACK');
      // Whose writes these are is not known: each work must run by itself.
      throw isStorageFailure(error) && !isLocked(error) ? error : new BatchRefused();
    }
  }

  /** Waits for the transaction ahead: what comes after must see it, and counts only if it was made. */
  private landed(): Answer<void> {
    const { ahead } = this;
    if (!ahead || ahead.state === 'made') return;
    if (ahead.state === 'refused') return this.dropped();
    this.waiting += 1;
    return ahead.ended.catch(() => this.dropped()).finally(() => (this.waiting -= 1));
  }

  private dropped(): never {
    this.collected = undefined;
    throw new BatchRefused();
  }

  private makeAll(writes: OwnWrites): void {
    try {
      for (const [query, changes] of writes.take()) super.write(query, changes);
    } catch (error) {
      throw queryFailure(error);
    }
  }

  private execute(sql: string): void {
    this.connection.statement(sql).run();
  }
}
