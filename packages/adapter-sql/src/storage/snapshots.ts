import type BetterSqlite from 'better-sqlite3';
import { StorageUnavailable } from '@slipstream/ports';
import { type Answer, after } from './answer.js';
import { SqliteExecutor } from '../commits/sqlite-transaction.js';
import { type Connection, connectionOn } from './connection.js';
import { isStorageFailure } from './failures.js';
import type { RecordCache } from './record-cache.js';
import type { Query } from './queries.js';
import { type Rests, type Session, openSession } from './session.js';

interface Snapshot {
  readonly connection: Connection;
  /** Its moment, as the number of commits before it. */
  readonly commits: number;
  readers: number;
  ended: boolean;
}

/** A snapshot that the first statement takes: a read of records in memory needs none. */
class LazySnapshot implements Connection {
  taken: Snapshot | undefined;
  /** A commit came after the records that were read from memory: the read starts again. */
  isLate = false;
  /** The read has ended: nobody would give it back. */
  isOver = false;

  constructor(
    private readonly isCurrent: () => boolean,
    private readonly take: () => Snapshot,
  ) {}

  get handle(): BetterSqlite.Database {
    return this.connection().handle;
  }

  /** One that is not taken yet cannot be lost. */
  get inTransaction(): boolean {
    return this.taken?.connection.inTransaction ?? true;
  }

  statement(sql: string): BetterSqlite.Statement<unknown[]> {
    return this.connection().statement(sql);
  }

  /** Takes it before anything was seen, so that nothing can be late. */
  begin(): void {
    this.connection();
  }

  private connection(): Connection {
    if (!this.taken) {
      if (this.isOver) throw new Error('the read has ended');
      this.isLate ||= !this.isCurrent();
      if (this.isLate) throw new Error('the read begins anew: something was committed meanwhile');
      this.taken = this.take();
    }
    return this.taken.connection;
  }
}

/** Reads a snapshot. */
class SnapshotExecutor extends SqliteExecutor {
  constructor(
    private readonly lazy: LazySnapshot,
    private readonly afterLanding: Commits['afterLanding'],
  ) {
    super(lazy);
  }

  /** Takes it, once the database shows what counts as committed. */
  begin(): Answer<void> {
    if (!this.lazy.taken) return this.afterLanding(() => this.lazy.begin());
  }

  override rows(query: Query<unknown>): Answer<unknown[]> {
    return after(this.begin(), () => super.rows(query));
  }

  override row(query: Query<unknown>): Answer<unknown> {
    return after(this.begin(), () => super.row(query));
  }

  override each(query: Query<unknown>, visit: (row: unknown) => void): Answer<void> {
    return after(this.begin(), () => super.each(query, visit));
  }
}

/** Which state is committed. */
export interface Commits {
  /** Changes exactly when what the database shows does. */
  readonly commits: () => number;
  /** Changes when a commit that writes is sent, and again when it is done. */
  readonly moment: () => number;
  /** True when that commit and all before it are durable, at once when they are; false when it was not made. */
  readonly durable: (commit: number) => Answer<boolean>;
  /** Calls it as soon as the database shows exactly what was committed; resolves after that, or at once. */
  readonly afterLanding: (see: () => void) => Answer<void>;
}

export interface Snapshots {
  read<Found>(work: (session: Session) => Promise<Found>): Promise<Found>;
  /** Resolves when no read is under way; closes the connections. */
  close(): Promise<void>;
}

/** Whether the snapshot was let go. A read has nothing to lose: where that fails, as on a disk that is gone, its connection is closed. */
function isLetGo(connection: Connection): boolean {
  if (!connection.handle.inTransaction) return false;
  try {
    connection.statement('COMMIT').run();
    return true;
  } catch {
    return false;
  }
}

const unreadable = (cause: unknown): StorageUnavailable =>
  new StorageUnavailable('the database could not be read', { cause });

/**
 * Reads of committed state, all of one moment, beside the writer. Reads share a snapshot while nothing was committed
 * since; one that outlives a commit keeps its own connection. One that saw what is written and not yet durable is
 * answered when it is, and begins anew when it will never be.
 */
export function snapshots(
  open: () => BetterSqlite.Database,
  records: RecordCache,
  { commits, durable, afterLanding }: Omit<Commits, 'moment'>,
  rests?: Rests,
): Snapshots {
  const idle: Connection[] = [];
  const underWay = new Set<Snapshot>();
  let allEnded = (): void => undefined;
  let latest: Snapshot | undefined;

  const acquire = (): Snapshot => {
    if (latest && !latest.ended && latest.commits === commits()) {
      latest.readers += 1;
      return latest;
    }
    const connection = idle.pop() ?? connectionOn(open());
    try {
      connection.statement('BEGIN').run();
      // The snapshot is taken by the first statement that reads.
      connection.statement('SELECT 1 FROM migrations LIMIT 1').get();
    } catch (error) {
      connection.handle.close();
      throw error;
    }
    latest = { connection, commits: commits(), readers: 1, ended: false };
    underWay.add(latest);
    return latest;
  };

  const end = (snapshot: Snapshot): void => {
    if (snapshot.readers > 0 || snapshot.ended) return;
    snapshot.ended = true;
    const { connection } = snapshot;
    if (isLetGo(connection)) idle.push(connection);
    else connection.handle.close();
    underWay.delete(snapshot);
    if (underWay.size === 0) allEnded();
  };

  // Not at once: the reads of one turn of the event loop share their snapshot.
  const release = (snapshot: Snapshot): void => {
    snapshot.readers -= 1;
    if (snapshot.readers === 0) setImmediate(() => end(snapshot));
  };

  const acquireOrFail = (): Snapshot => {
    try {
      return acquire();
    } catch (error) {
      throw unreadable(error);
    }
  };

  const read = async <Found>(
    work: (session: Session) => Promise<Found>,
    isAgain = false,
  ): Promise<Found> => {
    const begun = commits();
    let seen = 0;
    const saw = (commit: number): void => {
      seen = Math.max(seen, commit);
    };
    const isCurrent = (): boolean => begun === commits();
    const lazy = new LazySnapshot(isCurrent, acquireOrFail);
    const executor = new SnapshotExecutor(lazy, afterLanding);
    const session = openSession(executor, records.forRead(isCurrent, saw), { rests });
    let answered: () => Found;
    try {
      if (isAgain) await executor.begin();
      const answer = await work(session);
      const failure = session.failure();
      if (failure) throw failure;
      answered = () => answer;
    } catch (error) {
      answered = () => {
        throw isStorageFailure(session.failure()) ? unreadable(error) : error;
      };
    }
    session.end();
    lazy.isOver = true;
    if (lazy.taken) {
      saw(lazy.taken.commits);
      release(lazy.taken);
    }
    if (!lazy.isLate && (await durable(seen))) return answered();
    return read(work, true);
  };

  return {
    read: (work) => read(work),
    async close() {
      const ended = new Promise<void>((resolve) => {
        allEnded = resolve;
      });
      if (underWay.size > 0) await ended;
      for (const { handle } of idle) handle.close();
    },
  };
}
