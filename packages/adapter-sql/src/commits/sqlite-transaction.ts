import type { Connection } from '../storage/connection.js';
import { ChangedByAnother, queryFailure } from '../storage/failures.js';
import type { Query } from '../storage/queries.js';
import type { Executor } from '../storage/session.js';
import { OwnWrites } from './own-writes.js';
import type { Transaction } from './transaction.js';

/** Executes at once, on a connection that is in a transaction. */
export class SqliteExecutor implements Executor {
  constructor(protected readonly connection: Connection) {}

  get inTransaction(): boolean {
    return this.connection.inTransaction;
  }

  rows({ sql, parameters }: Query<unknown>): unknown[] {
    return this.connection.statement(sql).all(parameters);
  }

  row({ sql, parameters }: Query<unknown>): unknown {
    return this.connection.statement(sql).get(parameters);
  }

  each({ sql, parameters }: Query<unknown>, visit: (row: unknown) => void): void {
    for (const row of this.connection.statement(sql).iterate(parameters)) visit(row);
  }

  write(query: Query<unknown>, changes?: number): void {
    const changed = this.change(query);
    if (changes !== undefined && changed !== changes) throw new ChangedByAnother();
  }

  change({ sql, parameters }: Query<unknown>): number {
    return this.connection.statement(sql).run(parameters).changes;
  }
}

/** Writes that a work collects at most; a work with more of them makes them as it goes, between rests. */
const MOST = 50;

/**
 * The transactions of the connection that writes. A work's writes are made when it is done, or before it reads what they may
 * have changed; only then, in a transaction that it shares, does it need a savepoint, for which SQLite copies every page
 * that changes.
 */
export class SqliteTransaction extends SqliteExecutor implements Transaction {
  readonly isBusy = false;
  private readonly own = new OwnWrites();
  private isAlone = true;
  private hasSavepoint = false;
  /** Some of the work's writes were made, without a savepoint. */
  private isHalfMade = false;

  begin(): void {
    this.rollback();
    this.execute('BEGIN IMMEDIATE');
  }

  openWork(isAlone: boolean): void {
    this.isAlone = isAlone;
    this.hasSavepoint = false;
    this.own.take();
  }

  override rows(query: Query<unknown>): unknown[] {
    this.makeFor(query);
    return super.rows(query);
  }

  override row(query: Query<unknown>): unknown {
    this.makeFor(query);
    return super.row(query);
  }

  override each(query: Query<unknown>, visit: (row: unknown) => void): void {
    this.makeFor(query);
    super.each(query, visit);
  }

  override write(query: Query<unknown>, changes?: number): void {
    this.own.add(query, changes);
    if (this.own.count >= MOST) this.makeOwn();
  }

  override change(query: Query<unknown>): number {
    this.makeOwn();
    return super.change(query);
  }

  keepWork(): void {
    if (this.hasSavepoint) {
      this.makeOwn();
      this.execute('RELEASE work');
      return;
    }
    this.isHalfMade = true;
    this.makeAll();
    this.isHalfMade = false;
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
    this.execute('COMMIT');
  }

  rollback(): void {
    this.own.take();
    this.isHalfMade = false;
    if (this.inTransaction) this.execute('ROLLBACK');
  }

  private makeFor(read: Query<unknown>): void {
    if (this.own.isTouchedBy(read)) this.makeOwn();
  }

  /** Makes them so that the work can still be undone alone. */
  private makeOwn(): void {
    if (!this.isAlone && !this.hasSavepoint) {
      this.execute('SAVEPOINT work');
      this.hasSavepoint = true;
    }
    this.makeAll();
  }

  private makeAll(): void {
    try {
      for (const [query, changes] of this.own.take()) {
        const changed = super.change(query);
        if (changes !== undefined && changed !== changes) throw new ChangedByAnother();
      }
    } catch (error) {
      throw queryFailure(error);
    }
  }

  private execute(sql: string): void {
    this.connection.statement(sql).run();
  }
}
