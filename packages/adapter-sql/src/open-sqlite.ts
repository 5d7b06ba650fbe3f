import { availableParallelism } from 'node:os';
import { resolve } from 'node:path';
import type BetterSqlite from 'better-sqlite3';
import type { Storage } from '@slipstream/ports';
import { copyDatabase } from './backup.js';
import { isInMemory, openReader, openWriter, requireSound } from './storage/connection.js';
import { DatabaseMoved, keepCommits } from './commits/in-place.js';
import { logSync } from './commits/log-sync.js';
import { CARRIED_FROM } from './commits/sqlite-transaction.js';
import { WriterThread } from './commits/writer-thread.js';
import { isMigrated, migrate } from './migrations/migrate.js';
import { isCheckedBeside, readsBeside, requireSoundBeside } from './soundness.js';
import { requireOwnFile, usable } from './storage/own-file.js';
import { ownDatabase } from './storage/owner-lock.js';
import { sqlUnitOfWork } from './storage/unit-of-work.js';

/** The place of the database, and how long to wait while it is locked. */
export interface SqliteOptions {
  /** The file, made with its folder when it is not there; `:memory:` for one that ends with the process. */
  readonly path: string;
  /** How long to wait while the database is locked, in milliseconds; by default 2,000. */
  readonly patience?: number;
  /**
   * For data that can be made again, for example a replay's: commits do not wait for the disk, and the data of the last ones may be
   * lost, or all of it, when the machine stops. False by default.
   */
  readonly isReproducible?: boolean;
  /**
   * Called when a sync failed: whether the disk has the commits of works that are not answered is not known, and nothing is
   * committed any more. Those works reject with `CommitsLost`, unless the process ends before. It should end at once, without
   * closing the database: SQLite would copy what it believes to be in the log. Called with `DatabaseMoved` too, before anything is
   * written: closing would remove the log of the database that lies there now.
   */
  readonly onLost?: (cause: unknown) => void;
  /** Called once when the schema was brought up to date, with the names of the migrations: all of them for a new database. */
  readonly onMigrated?: (migrations: readonly string[]) => void;
  /**
   * From how many works on a commit is made in a thread of its own, while the next one is decided. By default 8, and never
   * where the process has one core. `Infinity`: never.
   */
  readonly carriedFrom?: number;
}

/** A SQLite database as a unit of work. */
export interface SqliteStorage extends Storage {
  /** Commits that wrote something: fewer than transactions when many arrive together. */
  commits(): number;
  /** Writes a copy of one moment into another file while transactions run; replaces an existing file. */
  backup(to: string): Promise<void>;
}

/**
 * Opens the database, checks it and brings its schema up to date. Throws `DatabaseInUse` when a process has it open. A large file
 * is checked while it is read already: if it is damaged, the first transaction rejects with `UnusableDatabase`.
 */
export async function openSqlite({
  path,
  patience: lockTimeout,
  isReproducible = false,
  onLost,
  onMigrated,
  carriedFrom = availableParallelism() > 1 ? CARRIED_FROM : Infinity,
}: SqliteOptions): Promise<SqliteStorage> {
  const inMemory = isInMemory(path);
  const file = inMemory ? path : resolve(path);
  const disown = inMemory ? () => undefined : ownDatabase(file);
  try {
    const writer = openWriter(file, { isReproducible });
    const isBeside = !inMemory && isCheckedBeside(file) && isMigrated(writer);
    const sync = guarded(writer, () => {
      if (!isBeside) {
        requireSound(writer);
        const applied = migrate(writer);
        if (applied.length > 0) onMigrated?.(applied);
      }
      return inMemory || isReproducible ? undefined : logSync(writer, file);
    });
    const unitOfWork = sqlUnitOfWork({
      writer,
      openReader: inMemory ? undefined : () => openReader(file),
      ...{ sync, carriedFrom },
      onLost: (cause) => {
        if (cause instanceof DatabaseMoved) keepCommits(writer, cause);
        onLost?.(cause);
      },
      carrier:
        sync && carriedFrom < Infinity ? new WriterThread(file, () => sync.pages()) : undefined,
      ...(lockTimeout === undefined ? {} : { lockTimeout }),
    });
    const { run, read } = isBeside ? readsBeside(requireSoundBeside(file), unitOfWork) : unitOfWork;
    let closing: Promise<void> | undefined;
    return {
      run,
      read,
      subscribe: unitOfWork.subscribe,
      commits: unitOfWork.commits,
      backup: async (to) => {
        if (inMemory) throw new Error('a database in memory cannot be copied');
        await copyDatabase(openReader(file), file, resolve(to));
      },
      close: () => (closing ??= unitOfWork.close().then(disown)),
    };
  } catch (error) {
    disown();
    throw error;
  }
}

/** Closes the connection when what is done with it fails. */
function guarded<Answer>(writer: BetterSqlite.Database, prepare: () => Answer): Answer {
  try {
    return usable(writer.name, prepare);
  } catch (error) {
    writer.close();
    throw error;
  }
}

/** Brings a database's schema up to date without opening it for use; returns the names of the applied migrations. */
export function migrateSqlite(path: string): string[] {
  const file = resolve(path);
  const disown = ownDatabase(file);
  try {
    const writer = openWriter(file);
    try {
      requireSound(writer);
      return usable(file, () => migrate(writer));
    } finally {
      writer.close();
    }
  } finally {
    disown();
  }
}

/**
 * Copies one moment of the database file, beside whatever process has it open; a file at `to` is replaced. Rejects with
 * `UnusableDatabase` when the file is not such a database, or is damaged: a copy of it must not replace the last good one.
 */
export async function backupSqlite(path: string, to: string): Promise<void> {
  const file = resolve(path);
  requireOwnFile(file);
  const source = openReader(file);
  try {
    requireSound(source);
  } catch (error) {
    source.close();
    throw error;
  }
  await copyDatabase(source, file, resolve(to));
}
