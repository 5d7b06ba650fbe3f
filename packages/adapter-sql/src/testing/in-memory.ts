import type BetterSqlite from 'better-sqlite3';
import { batchOf, makeBatch } from '../commits/batch.js';
import type { Carrier } from '../commits/sqlite-transaction.js';
import { migrate } from '../migrations/migrate.js';
import { connectionOn, openHandle } from '../storage/connection.js';
import { BatchRefused, CommitsLost } from '../storage/failures.js';
import { type SqlUnitOfWork, sqlUnitOfWork } from '../storage/unit-of-work.js';

/** A clock that never moves: a slow host aborts no transaction. */
const UNHURRIED = 20_000;

/** Intercepts every statement of a unit of work: executes it, or throws instead. */
export type Gate = <Result>(sql: string, execute: () => Result) => Result;

/** How the statements of a simulated process reach the database. */
export interface GatedOptions {
  readonly gate: Gate;
  /** Awaited before a group of transactions begins. */
  readonly turn: () => Promise<void>;
  /** Awaited between a commit and its answers, as a slow disk is. */
  readonly sync: () => Promise<void>;
  /** Called when that failed. */
  readonly onLost: () => void;
  /** Whether each transaction is made, some turns later, as by the thread that writes; by default none is. */
  readonly carries?: boolean;
}

/** Makes transactions on the connection that there is. */
const carrierOn = (
  writer: BetterSqlite.Database,
  { turn, sync }: Pick<GatedOptions, 'turn' | 'sync'>,
): Carrier => {
  const connection = connectionOn(writer);
  return {
    isReady: () => true,
    async carry(writes) {
      await turn();
      if (!makeBatch(connection, batchOf(writes))) throw new BatchRefused();
      await sync().catch((cause: unknown) => {
        throw new CommitsLost(cause);
      });
    },
    close: async () => undefined,
  };
};

/** A unit of work that can end as its process would. */
export interface GatedUnitOfWork extends SqlUnitOfWork {
  /** Ends it: it does nothing from now on, and uncommitted writes are rolled back. */
  kill(): void;
}

/** A database in memory that outlives the units of work over it, so that crashes of their process can be simulated. */
export interface InMemoryDatabase {
  /** A unit of work over the committed state, as after a start. An earlier one must have been killed. */
  open(options: GatedOptions): GatedUnitOfWork;
  /** Reads beside the units of work, inside their transaction when one is open. */
  rows<Row>(sql: string, ...parameters: readonly unknown[]): Row[];
  /** Whether a unit of work has a transaction open. */
  readonly inTransaction: boolean;
  /** Executes beside the units of work. */
  execute(sql: string): void;
  /** The whole database, for `inMemoryDatabase`. */
  image(): Buffer;
  close(): void;
}

/** Opens the database of that image; without one it is empty and migrated. */
export function inMemoryDatabase(image?: Buffer): InMemoryDatabase {
  const handle = openHandle(image ?? ':memory:');
  handle.pragma('foreign_keys = ON');
  handle.pragma('trusted_schema = OFF');
  if (!image) migrate(handle);
  const statements = new Map<string, BetterSqlite.Statement<unknown[]>>();

  const statementOf = (sql: string): BetterSqlite.Statement<unknown[]> => {
    const statement = statements.get(sql) ?? handle.prepare<unknown[]>(sql);
    statements.set(sql, statement);
    return statement;
  };

  return {
    open({ gate, turn, sync, onLost, carries = false }) {
      let alive = true;
      const pass = <Result>(sql: string, execute: () => Result): Result => {
        if (!alive) throw new Error('the process of this unit of work has ended');
        return gate(sql, execute);
      };
      const prepare = (sql: string) => {
        const statement = statementOf(sql);
        return {
          run: (...parameters: unknown[]) => pass(sql, () => statement.run(...parameters)),
          get: (...parameters: unknown[]) => pass(sql, () => statement.get(...parameters)),
          all: (...parameters: unknown[]) => pass(sql, () => statement.all(...parameters)),
          // All at once: a process that ends here must not leave a statement open.
          iterate: (...parameters: unknown[]) => pass(sql, () => statement.all(...parameters)),
        };
      };
      const gated = {
        get inTransaction() {
          return alive && handle.inTransaction;
        },
        prepare,
        close: () => undefined,
      };
      const writer = gated as unknown as BetterSqlite.Database;
      return {
        ...sqlUnitOfWork({
          writer,
          ...(carries ? { carrier: carrierOn(writer, { turn, sync }), carriedFrom: 1 } : {}),
          lockTimeout: UNHURRIED,
          turn,
          sync: {
            requireInPlace: () => undefined,
            duration: () => Infinity,
            now: () => undefined,
            later: sync,
            close: () => undefined,
          },
          onLost,
          // Time does not move, so that a run repeats exactly, however fast the host is.
          time: { now: () => 0, wait: turn },
        }),
        kill() {
          if (alive && handle.inTransaction) handle.exec('ROLLBACK');
          alive = false;
        },
      };
    },
    rows: <Row>(sql: string, ...parameters: readonly unknown[]) =>
      statementOf(sql).all(...parameters) as Row[],
    get inTransaction() {
      return handle.inTransaction;
    },
    execute: (sql) => void handle.exec(sql),
    image: () => handle.serialize(),
    close: () => void handle.close(),
  };
}
