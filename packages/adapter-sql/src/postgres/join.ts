import type { OrdersChanged } from '@slipstream/ports';
import type { Client } from './client.js';
import { migratePostgres } from './migrate.js';
import { type Membership, joinAs } from './nodes/node.js';
import { poolOf } from './pool.js';
import { sessionName } from './nodes/roster.js';
import { schemaOf } from './row-writes.js';
import { postgresSnapshots } from './snapshots.js';
import { PostgresTransaction } from './transaction.js';
import { wasDone } from './was-done.js';
import { readToldOrders } from './told-orders.js';
import { type TimeAndTimers, nextTurn } from '../storage/host-time.js';
import { readStoresOf } from '../storage/stores.js';
import { LOCK_TIMEOUT, type SqlUnitOfWork, unitOfWorkOver } from '../storage/unit-of-work.js';

/** Connections that read, at most. */
const READERS = 8;

/** Connections that ask what other nodes did, at most. */
const ASKERS = 2;

/** Milliseconds without a sign of life after which a process counts as ended, by default. */
const LEASE = 5_000;

/** Whoever stops amid a transaction, or whose machine does, lets go of what it locked after that time. */
export const reading = { idle_in_transaction_session_timeout: 10_000 };
const writing = { ...reading, lock_timeout: 5_000 };
/** Signs of life must not wait long for the end of another process. */
const watching = { ...reading, lock_timeout: 1_000 };

/** What a process that joins has around it. */
export interface Surroundings {
  /** Connects to the database under that name, with settings of the session. */
  readonly connect: (name: string, settings: Readonly<Record<string, number>>) => Promise<Client>;
  readonly time: TimeAndTimers;
  /** The id of the process; none has the same. */
  readonly node: string;
  /** What an error calls the database. */
  readonly database: string;
}

/** How a process joins. */
export interface JoinOptions {
  /** Where other processes reach it; null if it shares the database with none. */
  readonly nodeUrl: string | null;
  readonly patience?: number | undefined;
  readonly lease?: number | undefined;
  readonly onEnded?: (() => void) | undefined;
  readonly onDrained?: (() => void) | undefined;
  readonly onMigrated?: ((migrations: readonly string[]) => void) | undefined;
}

/** One of several processes over a database. One of them owns it; another one follows when that one ends. */
export interface PostgresNode extends Omit<Membership, 'owned'> {
  readonly id: string;
  /** Reads what is committed, also while another process owns the database. */
  readonly read: SqlUnitOfWork['read'];
  /** Resolves when this process owns the database. Rejects with `DatabaseInUse` when a server without other nodes has it. */
  storage(): Promise<SqlUnitOfWork>;
  /**
   * What the last commits told of orders, in the order of each strategy: all of it from some moment on. To be read once this
   * process owns the database.
   */
  toldOrders(): Promise<readonly OrdersChanged[]>;
  /**
   * Whether another node committed anything for the request of that id, once it has ended or `isSettled` says that nothing of the
   * request is under way there. Undefined when neither is so within seconds, or the database cannot be asked.
   */
  wasDone(node: string, requestId: string, isSettled: () => boolean): Promise<boolean | undefined>;
}

/** Joins the processes over a database, in surroundings that a simulation can make up. */
export async function joinIn(
  { connect, time, node, database }: Surroundings,
  { nodeUrl, patience = LOCK_TIMEOUT, lease = LEASE, ...told }: JoinOptions,
): Promise<PostgresNode> {
  const name = sessionName(node);
  const watch = () => connect(name, watching);
  const onEnded = once(() => told.onEnded?.());
  const onDrained = (): void => told.onDrained?.();
  const first = await watch();
  const joined = async () => {
    const applied = await migratePostgres(first);
    if (applied.length > 0) told.onMigrated?.(applied);
    const schema = await schemaOf(first);
    const membership = await joinAs({
      ...{ node, url: nodeUrl, lease, database, first, time, connect: watch, onEnded, onDrained },
    });
    return { schema, membership };
  };
  const { schema, membership } = await joined().catch(async (error: unknown) => {
    await first.end();
    throw error;
  });
  const asking = poolOf(watch, ASKERS);
  const pool = poolOf(() => connect(name, reading), READERS);
  // Another process commits at any moment, so nothing is answered from memory.
  const beside = postgresSnapshots(pool, undefined, {
    ...{ now: () => time.now(), turn: nextTurn, after: 0 },
  });
  const end = once(async () => {
    await Promise.all([asking.close(), beside.close()]);
    await membership.end();
  });

  const open = (): SqlUnitOfWork => {
    const transaction = new PostgresTransaction({
      ...{ node, schema, onEnded, time, connect: () => connect(name, writing) },
    });
    return unitOfWorkOver({
      transaction,
      lockTimeout: patience,
      time,
      openReads: (records, { moment }, rests) =>
        postgresSnapshots(pool, { records, moment }, rests),
      close: async () => {
        await transaction.close();
        await end();
      },
    });
  };
  return {
    id: node,
    isOwner: () => membership.isOwner(),
    isLeased: () => membership.isLeased(),
    owner: () => membership.owner(),
    look: () => membership.look(),
    connection: () => membership.connection(),
    databaseTime: () => membership.databaseTime(),
    read: (work) => beside.read((session) => work(readStoresOf(session))),
    storage: once(() => membership.owned.then(open)),
    toldOrders: () => readToldOrders(asking),
    wasDone: (...asked) => wasDone(asking, time, ...asked),
    end,
  };
}

/** Called the first time only; later calls have its answer. */
function once<Answer>(make: () => Answer): () => Answer {
  let made: { readonly answer: Answer } | undefined;
  return () => (made ??= { answer: make() }).answer;
}
