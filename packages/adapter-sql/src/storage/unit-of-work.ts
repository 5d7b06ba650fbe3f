import type BetterSqlite from 'better-sqlite3';
import { type Event, type Storage, StorageUnavailable, eventBus } from '@slipstream/ports';
import type { Answer } from './answer.js';
import { connectionOn } from './connection.js';
import { CommitQueue } from '../commits/commit-queue.js';
import { Confirmations } from '../commits/confirmations.js';
import { type Carrier, SqliteTransaction } from '../commits/sqlite-transaction.js';
import type { Transaction } from '../commits/transaction.js';
import { type Time, hostTime, nextTurn } from './host-time.js';
import { type RecordCache, recordCache } from './record-cache.js';
import type { Sync } from '../commits/log-sync.js';
import { type Commits, type Snapshots, snapshots } from './snapshots.js';
import type { Rests, Session } from './session.js';
import { readStoresOf, storesOf } from './stores.js';

/** A unit of work over open connections, which it closes. */
export interface SqlUnitOfWork extends Storage {
  /** Commits that wrote something. */
  commits(): number;
}

/** How long a transaction waits for a locked database, in milliseconds, before it is refused. */
export const LOCK_TIMEOUT = 2_000;

/** What can be other than the host's. */
interface Surroundings {
  readonly lockTimeout?: number;
  readonly records?: RecordCache;
  /** Awaited before a group of transactions begins; by default the next turn of the event loop. */
  readonly turn?: (() => Promise<void>) | undefined;
  /** The clock for waiting on a locked database; by default the host's. */
  readonly time?: Time | undefined;
  /** Makes commits durable; absent when they are as soon as they are made. */
  readonly sync?: Sync | undefined;
  /** Called when a sync failed: nothing can be committed any more. */
  readonly onLost?: ((cause: unknown) => void) | undefined;
}

export interface Connections extends Surroundings {
  readonly writer: BetterSqlite.Database;
  /** Opens a connection for reads; absent when there can be only one connection. */
  readonly openReader?: (() => BetterSqlite.Database) | undefined;
  /** Makes transactions of many works; absent when all are made here. */
  readonly carrier?: Carrier | undefined;
  /** Of so many works at least is a transaction that it makes. */
  readonly carriedFrom?: number | undefined;
}

/** The migrated database of `writer` as a unit of work. */
export const sqlUnitOfWork = ({
  writer,
  openReader,
  carrier,
  carriedFrom,
  ...others
}: Connections): SqlUnitOfWork =>
  unitOfWorkOver({
    ...others,
    transaction: new SqliteTransaction(connectionOn(writer), carrier, carriedFrom),
    openReads:
      openReader && ((records, commits, rests) => snapshots(openReader, records, commits, rests)),
    close: async () => {
      await carrier?.close();
      others.sync?.close();
      writer.close();
    },
  });

interface Parts extends Surroundings {
  readonly transaction: Transaction;
  /** Absent when there can be only one connection. */
  readonly openReads?:
    | ((records: RecordCache, commits: Commits, rests: Rests) => Snapshots)
    | undefined;
  /** Called when nothing runs any more. */
  readonly close: () => Answer<void>;
}

/** The transactions of a database as a unit of work. */
export function unitOfWorkOver({
  transaction,
  openReads,
  close,
  lockTimeout = LOCK_TIMEOUT,
  records = recordCache(),
  turn = nextTurn,
  time = hostTime,
  sync,
  onLost = () => undefined,
}: Parts): SqlUnitOfWork {
  // The port requires it: an error of one listener does not affect the others.
  const bus = eventBus(() => undefined);
  const deliver = (events: readonly Event[]): void => {
    for (const event of events) bus.publish(event);
  };
  const confirmations = new Confirmations(sync, onLost);
  const options = { transaction, records, confirmations, time, turn, deliver };
  const queue = new CommitQueue(options, lockTimeout);
  const committed: Commits = {
    commits: () => confirmations.commits(),
    moment: () => queue.moment(),
    durable: (commit) => confirmations.durable(commit),
    afterLanding: (see) => confirmations.afterLanding(see),
  };
  const reads = openReads?.(records, committed, { now: () => time.now(), turn, after: 0 });
  let closing: Promise<void> | undefined;

  const requireOpen = (): void => {
    if (closing) throw new StorageUnavailable('the storage is closed');
  };

  const closeAll = async (): Promise<void> => {
    await queue.idle();
    await reads?.close();
    await close();
  };

  return {
    async run(work, options) {
      requireOpen();
      return queue.run((session) => work(storesOf(session)), options);
    },
    async read(work) {
      requireOpen();
      // With one connection, reads queue among the transactions; the state they saw is committed when they resolve.
      const readWork = (session: Session) => work(readStoresOf(session));
      return reads ? reads.read(readWork) : queue.run(readWork);
    },
    subscribe: (listener) => bus.subscribe(listener),
    commits: () => queue.commits(),
    close: () => (closing ??= closeAll()),
  };
}
