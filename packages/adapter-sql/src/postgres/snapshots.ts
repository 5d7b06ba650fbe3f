import { StorageUnavailable } from '@slipstream/ports';
import { isStorageFailure } from '../storage/failures.js';
import type { Query } from '../storage/queries.js';
import type { RecordCache, Records } from '../storage/record-cache.js';
import { type Executor, type Rests, type Session, openSession } from '../storage/session.js';
import type { Snapshots } from '../storage/snapshots.js';
import type { Client, Result } from './client.js';
import type { Pool } from './pool.js';

/** Rows of a large result that are fetched at once. */
const PIECE = 2_000;

const BEGIN = 'BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY';

/** A snapshot that the first statement takes: a read of records in memory needs none. */
class LazySnapshot implements Executor {
  /** A commit changed records that were read from memory before: the read starts again. */
  isLate = false;
  private client: Promise<Client> | undefined;
  private isTaken = false;
  /** Of each record that was read from memory before, whether it is still the committed one. */
  private readonly stand: (() => boolean)[] = [];

  constructor(private readonly pool: Pool) {}

  /** One that is not taken yet cannot be lost; a lost connection fails by itself. */
  get inTransaction(): boolean {
    return true;
  }

  async rows(query: Query<unknown>): Promise<unknown[]> {
    return (await this.ask(query)).rows;
  }

  async row(query: Query<unknown>): Promise<unknown> {
    return (await this.ask(query)).rows[0];
  }

  async each({ sql, parameters }: Query<unknown>, visit: (row: unknown) => void): Promise<void> {
    await this.ask({ sql: `DECLARE large NO SCROLL CURSOR FOR ${sql}`, parameters });
    for (;;) {
      const { rows } = await this.ask({ sql: `FETCH ${PIECE} FROM large`, parameters: [] });
      for (const row of rows) visit(row);
      if (rows.length < PIECE) break;
    }
    await this.ask({ sql: 'CLOSE large', parameters: [] });
  }

  write(): never {
    throw new Error('a read writes nothing');
  }

  change(): never {
    throw new Error('a read writes nothing');
  }

  /** The records as of `isCurrent`, noting those that are used before the snapshot. */
  noting(cache: RecordCache, isCurrent: () => boolean): Records {
    const records = cache.forRead(isCurrent);
    return {
      ...records,
      get: (kind, key) => {
        const record = records.get(kind, key);
        if (record !== undefined && !this.isTaken)
          this.stand.push(() => cache.isStill(kind, key, record));
        return record;
      },
    };
  }

  async end(): Promise<void> {
    if (!this.client) return;
    try {
      const client = await this.client;
      await client.script('COMMIT').catch(() => client.destroy());
      this.pool.release(client);
    } catch {
      // It could not connect, and the read was told so.
    }
  }

  private async ask(query: Query<unknown>): Promise<Result> {
    this.client ??= this.begun();
    const client = await this.client;
    const result = await client.query(query);
    if (!this.isTaken) {
      this.isTaken = true;
      this.isLate = !this.stand.every((stands) => stands());
    }
    if (this.isLate) throw new Error('the read begins anew: something was committed meanwhile');
    return result;
  }

  private async begun(): Promise<Client> {
    const client = await this.pool.acquire();
    // Sent with the first statement; that one fails too when this does.
    client.script(BEGIN).catch(() => undefined);
    return client;
  }
}

const unreadable = (cause: unknown): StorageUnavailable =>
  new StorageUnavailable('the database could not be read', { cause });

/** The committed records that the only writer keeps. `moment` changes when a commit is sent, and again when it is done. */
export interface Memory {
  readonly records: RecordCache;
  readonly moment: () => number;
}

const NO_RECORDS: Records = {
  get: () => undefined,
  read: () => undefined,
  written: () => undefined,
};

/**
 * Reads of committed state, each of one moment, beside the writer. While no commit is sent or done, memory is what a new snapshot shows,
 * but for what the commit under way has written. Without memory, since others commit too, the database is asked for all.
 */
export function postgresSnapshots(pool: Pool, memory: Memory | undefined, rests: Rests): Snapshots {
  const underWay = new Set<Promise<unknown>>();

  const readOnce = async <Answer>(
    work: (session: Session) => Promise<Answer>,
  ): Promise<{ readonly answer: Answer } | undefined> => {
    const snapshot = new LazySnapshot(pool);
    const begun = memory?.moment();
    const records = memory
      ? snapshot.noting(memory.records, () => begun === memory.moment())
      : NO_RECORDS;
    const session = openSession(snapshot, records, { rests });
    try {
      const answer = await work(session);
      const failure = session.failure();
      if (failure) throw failure;
      return snapshot.isLate ? undefined : { answer };
    } catch (error) {
      if (snapshot.isLate) return undefined;
      throw isStorageFailure(session.failure()) ? unreadable(error) : error;
    } finally {
      session.end();
      await snapshot.end();
    }
  };

  const read = async <Answer>(work: (session: Session) => Promise<Answer>): Promise<Answer> => {
    for (;;) {
      const found = await readOnce(work);
      if (found) return found.answer;
    }
  };

  return {
    read(work) {
      const reading = read(work);
      const ended = reading.then(
        () => undefined,
        () => undefined,
      );
      underWay.add(ended);
      void ended.then(() => underWay.delete(ended));
      return reading;
    },
    async close() {
      await Promise.all(underWay);
      await pool.close();
    },
  };
}
