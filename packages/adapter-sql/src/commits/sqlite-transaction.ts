import type { Connection } from '../storage/connection.js';
import { ChangedByAnother } from '../storage/failures.js';
import type { Query } from '../storage/queries.js';
import type { Executor } from '../storage/session.js';
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

/** The transactions of the connection that writes. A work that shares one has a savepoint from its first write on. */
export class SqliteTransaction extends SqliteExecutor implements Transaction {
  readonly isBusy = false;
  private isAlone = true;
  private hasSavepoint = false;

  begin(): void {
    this.rollback();
    this.execute('BEGIN IMMEDIATE');
  }

  openWork(isAlone: boolean): void {
    this.isAlone = isAlone;
    this.hasSavepoint = false;
  }

  override change(query: Query<unknown>): number {
    if (!this.isAlone && !this.hasSavepoint) {
      this.execute('SAVEPOINT work');
      this.hasSavepoint = true;
    }
    return super.change(query);
  }

  keepWork(): void {
    if (this.hasSavepoint) this.execute('RELEASE work');
  }

  undoWork(): void {
    if (!this.hasSavepoint) return;
    this.execute('ROLLBACK TO work');
    this.execute('RELEASE work');
  }

  commit(): void {
    this.execute('COMMIT');
  }

  rollback(): void {
    if (this.inTransaction) this.execute('ROLLBACK');
  }

  private execute(sql: string): void {
    this.connection.statement(sql).run();
  }
}
