import { randomUUID } from 'node:crypto';
import { hostTime, nextTurn } from './storage/host-time.js';
import { connect } from './postgres/client.js';
import { migratePostgres } from './postgres/migrate.js';
import { type Membership, type NodeAddress, joinAs } from './postgres/node.js';
import { poolOf } from './postgres/pool.js';
import { sessionName } from './postgres/roster.js';
import { schemaOf } from './postgres/row-writes.js';
import { PostgresTransaction } from './postgres/transaction.js';
import { wasDone } from './postgres/was-done.js';
import { postgresSnapshots } from './postgres/snapshots.js';
import { recordCache } from './storage/record-cache.js';
import { readStoresOf } from './storage/stores.js';
import { LOCK_TIMEOUT, type SqlUnitOfWork, unitOfWorkOver } from './storage/unit-of-work.js';

export type { NodeAddress };

/** Connections that read, at most. */
const READERS = 8;
/** The moment of a database in which a commit may be under way. */
const UNDER_WAY = 1;

/** Connections that ask what other nodes did, at most. */
const ASKERS = 2;

/** Milliseconds without a sign of life after which a process counts as ended, by default. */
const LEASE = 5_000;

/** Where the database is, and what to do when it is lost. */
export interface PostgresOptions {
  /** `postgres://user:password@host:port/database`. */
  readonly url: string;
  /** How long a work may wait for something other than its stores, in milliseconds; by default 2,000. */
  readonly patience?: number;
  /** After how many milliseconds without a sign of life this process counts as ended; by default 5,000. */
  readonly lease?: number;
  /** Called once when another process took the database, or it has lost commits: nothing can be committed any more. */
  readonly onEnded?: () => void;
  /** Called once when the operator asks this process to end, so that another one takes the database. */
  readonly onDrained?: () => void;
}

/** One of several processes over a database. One of them owns it; another one follows when that one ends. */
export interface PostgresNode extends Omit<Membership, 'owned'> {
  readonly id: string;
  /** Reads what is committed, also while another process owns the database. */
  readonly read: SqlUnitOfWork['read'];
  /** Resolves when this process owns the database. Rejects with `DatabaseInUse` when a server without other nodes has it. */
  storage(): Promise<SqlUnitOfWork>;
  /**
   * Whether another node, once it has ended, committed anything for the request of that id. Undefined when it does not end
   * within seconds, or the database cannot be asked.
   */
  wasDone(node: string, requestId: string): Promise<boolean | undefined>;
}

/** The database without whoever uses it, for errors. */
function labelOf(url: string): string {
  const { host, pathname } = new URL(url);
  return `${host}${pathname}`;
}

/** Whoever stops amid a transaction lets go of its rows after that time. */
const writing = { idle_in_transaction_session_timeout: 10_000, lock_timeout: 5_000 };
/** Signs of life must not wait long for the end of another process. */
const watching = { lock_timeout: 1_000 };

async function joinWith(
  { url, patience = LOCK_TIMEOUT, lease = LEASE, ...told }: PostgresOptions,
  nodeUrl: string | null,
): Promise<PostgresNode> {
  const node = randomUUID();
  const name = sessionName(node);
  const watch = () => connect(url, name, watching);
  const onEnded = once(() => told.onEnded?.());
  const onDrained = (): void => told.onDrained?.();
  const first = await watch();
  const joined = async () => {
    await migratePostgres(first);
    const schema = await schemaOf(first);
    const database = labelOf(url);
    const membership = await joinAs({
      ...{ node, url: nodeUrl, lease, database, first, connect: watch, onEnded, onDrained },
    });
    return { schema, membership };
  };
  const { schema, membership } = await joined().catch(async (error: unknown) => {
    await first.end();
    throw error;
  });
  const asking = poolOf(watch, ASKERS);
  const pool = poolOf(() => connect(url, name), READERS);
  // Another process commits at any moment, so nothing is answered from memory.
  const beside = postgresSnapshots(pool, recordCache(), () => UNDER_WAY, {
    ...{ now: () => hostTime.now(), turn: nextTurn, after: 0 },
  });
  const end = once(async () => {
    await Promise.all([asking.close(), beside.close()]);
    await membership.end();
  });

  const open = (): SqlUnitOfWork => {
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
        await end();
      },
    });
  };
  return {
    id: node,
    isOwner: () => membership.isOwner(),
    owner: () => membership.owner(),
    look: () => membership.look(),
    connection: () => membership.connection(),
    read: (work) => beside.read((session) => work(readStoresOf(session))),
    storage: once(() => membership.owned.then(open)),
    wasDone: (other, requestId) => wasDone(asking, hostTime, other, requestId),
    end,
  };
}

/** Called the first time only; later calls have its answer. */
function once<Answer>(make: () => Answer): () => Answer {
  let made: { readonly answer: Answer } | undefined;
  return () => (made ??= { answer: make() }).answer;
}

/**
 * Opens the database, brings its schema up to date, and makes this process its owner. Throws `DatabaseInUse` when another
 * process has it open, and `UnusableDatabase` when it is of something else.
 */
export async function openPostgres(options: PostgresOptions): Promise<SqlUnitOfWork> {
  const node = await joinWith(options, null);
  return node.storage().catch(async (error: unknown) => {
    await node.end();
    throw error;
  });
}

/**
 * Joins the processes over a database, each of which the others reach at its `nodeUrl`. Throws `UnusableDatabase` when the
 * schema is not of this release while others run over it.
 */
export const joinPostgres = ({
  nodeUrl,
  ...options
}: PostgresOptions & { readonly nodeUrl: string }): Promise<PostgresNode> =>
  joinWith(options, nodeUrl);

/** Brings a database's schema up to date without opening it for use; returns the names of the applied migrations. */
export async function migratePostgresAt(url: string): Promise<string[]> {
  const client = await connect(url, 'slipstream migrate');
  return migratePostgres(client).finally(() => client.end());
}
