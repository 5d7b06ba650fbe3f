import { randomUUID } from 'node:crypto';
import { hostTime } from './storage/host-time.js';
import { type Client, connect } from './postgres/client.js';
import { migratePostgres } from './postgres/migrate.js';
import { joinAs, sessionName } from './postgres/node.js';
import { poolOf } from './postgres/pool.js';
import { schemaOf } from './postgres/row-writes.js';
import { PostgresTransaction } from './postgres/transaction.js';
import { postgresSnapshots } from './postgres/snapshots.js';
import { LOCK_TIMEOUT, type SqlUnitOfWork, unitOfWorkOver } from './storage/unit-of-work.js';

/** Connections that read, at most. */
const READERS = 8;

/** Where the database is, and what to do when it is lost. */
export interface PostgresOptions {
  /** `postgres://user:password@host:port/database`. */
  readonly url: string;
  /** How long a work may wait for something other than its stores, in milliseconds; by default 2,000. */
  readonly patience?: number;
  /** Called once when another process took the database: nothing can be committed any more. */
  readonly onEnded?: () => void;
}

/** The database without whoever uses it, for errors. */
function labelOf(url: string): string {
  const { host, pathname } = new URL(url);
  return `${host}${pathname}`;
}

/** Whoever stops amid a transaction lets go of its rows after that time. */
const writing = { idle_in_transaction_session_timeout: 10_000, lock_timeout: 5_000 };

/**
 * Opens the database, brings its schema up to date, and makes this process its owner. Throws `DatabaseInUse` when another
 * process has it open, and `UnusableDatabase` when it is of something else.
 */
export async function openPostgres({
  url,
  patience = LOCK_TIMEOUT,
  onEnded: tell = () => undefined,
}: PostgresOptions): Promise<SqlUnitOfWork> {
  const node = randomUUID();
  const name = sessionName(node);
  const opened = () => connect(url, name);
  let isEnded = false;
  const onEnded = (): void => {
    if (isEnded) return;
    isEnded = true;
    tell();
  };
  const begin = async (first: Client) => {
    await migratePostgres(first);
    const schema = await schemaOf(first);
    const database = labelOf(url);
    return {
      schema,
      membership: await joinAs({ node, database, first, connect: opened, onEnded }),
    };
  };
  const first = await opened();
  const { schema, membership } = await begin(first).catch(async (error: unknown) => {
    await first.end();
    throw error;
  });
  const pool = poolOf(opened, READERS);
  const transaction = new PostgresTransaction({
    ...{ node, schema, onEnded, time: hostTime },
    connect: () => connect(url, name, writing),
  });
  return unitOfWorkOver({
    transaction,
    lockTimeout: patience,
    openReads: (records, { moment }, rests) => postgresSnapshots(pool, records, moment, rests),
    close: async () => {
      await transaction.close();
      await membership.end();
    },
  });
}

/** Brings a database's schema up to date without opening it for use; returns the names of the applied migrations. */
export async function migratePostgresAt(url: string): Promise<string[]> {
  const client = await connect(url, 'slipstream migrate');
  return migratePostgres(client).finally(() => client.end());
}
