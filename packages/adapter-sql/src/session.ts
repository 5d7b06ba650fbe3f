import type { Book, StrategyId } from '@slipstream/domain';
import type { Connection } from './connection.js';
import { QueryFailed, TransactionLost } from './failures.js';
import type { Query } from './queries.js';

/** The books that need not be read from the database. */
export interface Books {
  get(strategyId: StrategyId): Book | undefined;
  /** Remembers what was read. */
  read(book: Book): void;
  /** Remembers what was written; it counts for others when it is committed. */
  written(book: Book): void;
}

/** What stores execute their queries by, inside one work. */
export interface Session {
  readonly books: Books;
  rows<Row>(query: Query<Row>): Row[];
  row<Row>(query: Query<Row>): Row | undefined;
  /** How many rows it changed. */
  write(query: Query<unknown>): number;
  /** Throws, and spoils the work. */
  refuse(message: string): never;
}

/** A session as its work's runner sees it. */
export interface OpenSession extends Session {
  /** The first error of a query. A work that had one is not committed, even when it swallowed the error. */
  failure(): Error | undefined;
  /** True when something was written. */
  wrote(): boolean;
  /** From now on every use throws. */
  end(): void;
}

/** Executes on a connection that is in a transaction. */
export function openSession({ handle, statement }: Connection, books: Books): OpenSession {
  let ended = false;
  let wrote = false;
  let failure: Error | undefined;

  const requireUsable = (): void => {
    if (ended) throw new Error('the stores of a unit of work cannot be used after its end');
    if (failure !== undefined) throw failure;
    if (!handle.inTransaction) fail(new TransactionLost('the transaction was rolled back'));
  };
  const fail = (error: Error): never => {
    failure = error;
    throw error;
  };

  return {
    books,
    rows: <Row>({ sql, parameters }: Query<Row>) => {
      requireUsable();
      try {
        return statement(sql).all(parameters) as Row[];
      } catch (error) {
        return fail(new QueryFailed(error));
      }
    },
    row: <Row>({ sql, parameters }: Query<Row>) => {
      requireUsable();
      try {
        return statement(sql).get(parameters) as Row | undefined;
      } catch (error) {
        return fail(new QueryFailed(error));
      }
    },
    write: ({ sql, parameters }) => {
      requireUsable();
      try {
        const { changes } = statement(sql).run(parameters);
        wrote = true;
        return changes;
      } catch (error) {
        return fail(new QueryFailed(error));
      }
    },
    refuse: (message) => {
      requireUsable();
      return fail(new Error(message));
    },
    failure: () => failure,
    wrote: () => wrote,
    end: () => {
      ended = true;
    },
  };
}
