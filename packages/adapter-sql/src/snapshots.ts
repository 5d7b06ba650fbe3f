import type BetterSqlite from 'better-sqlite3';
import { StorageUnavailable } from '@slipstream/ports';
import type { BookCache } from './book-cache.js';
import { type Connection, connectionOn } from './connection.js';
import { isStorageFailure } from './failures.js';
import { type Session, openSession } from './session.js';

interface Snapshot {
  readonly connection: Connection;
  /** Of which moment: the commits before it. */
  readonly commits: number;
  readers: number;
}

export interface Snapshots {
  read<Answer>(work: (session: Session) => Promise<Answer>): Promise<Answer>;
  /** Resolves when no read is under way; closes the connections. */
  close(): Promise<void>;
}

const unreadable = (cause: unknown): StorageUnavailable =>
  new StorageUnavailable('the database could not be read', { cause });

/**
 * Reads of committed state, all of one moment, beside the writer. Reads share a snapshot while nothing was committed
 * since; one that outlives a commit keeps its own connection.
 */
export function snapshots(
  open: () => BetterSqlite.Database,
  books: BookCache,
  commits: () => number,
): Snapshots {
  const idle: Connection[] = [];
  const reads = new Set<Promise<unknown>>();
  let latest: Snapshot | undefined;

  const acquire = (): Snapshot => {
    if (latest?.commits === commits()) {
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
    latest = { connection, commits: commits(), readers: 1 };
    return latest;
  };

  const release = (snapshot: Snapshot): void => {
    snapshot.readers -= 1;
    if (snapshot.readers > 0) return;
    if (latest === snapshot) latest = undefined;
    snapshot.connection.statement('COMMIT').run();
    idle.push(snapshot.connection);
  };

  const acquireOrFail = (): Snapshot => {
    try {
      return acquire();
    } catch (error) {
      throw unreadable(error);
    }
  };

  const readOnce = async <Answer>(work: (session: Session) => Promise<Answer>): Promise<Answer> => {
    const snapshot = acquireOrFail();
    const session = openSession(
      snapshot.connection,
      books.forRead(() => snapshot.commits === commits()),
    );
    try {
      const answer = await work(session);
      if (session.failure() !== undefined) throw session.failure();
      return answer;
    } catch (error) {
      throw isStorageFailure(session.failure()) ? unreadable(error) : error;
    } finally {
      session.end();
      release(snapshot);
    }
  };

  return {
    read(work) {
      const result = readOnce(work);
      const settled = result.catch(() => undefined).finally(() => reads.delete(settled));
      reads.add(settled);
      return result;
    },
    async close() {
      await Promise.all(reads);
      for (const { handle } of idle) handle.close();
    },
  };
}
