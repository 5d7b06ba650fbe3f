import { existsSync, statSync } from 'node:fs';
import type BetterSqlite from 'better-sqlite3';

/** A file of the open database is not at its place any more: what would be written now, the next process would not find. */
export class DatabaseMoved extends Error {
  override readonly name = 'DatabaseMoved';
  constructor(readonly path: string) {
    super(`${path} was moved, replaced or deleted while it was open`);
  }
}

/** Which file lies at the path now; undefined when none does. */
function fileAt(path: string): string | undefined {
  const found = statSync(path, { bigint: true, throwIfNoEntry: false });
  return found && `${found.dev} ${found.ino}`;
}

function isElsewhere(path: string, file: string | undefined): boolean {
  try {
    return fileAt(path) !== file;
  } catch {
    // Whoever may not look does not know that it is gone.
    return false;
  }
}

/**
 * Remembers the files of an open database: itself, the log of its newest commits, and the lock that keeps other processes
 * away. The function throws `DatabaseMoved` when one of them is not at its place any more.
 */
export function keptInPlace(database: string): () => void {
  const files = [database, `${database}-wal`, `${database}-lock`].map(
    (path) => [path, fileAt(path)] as const,
  );
  return () => {
    for (const [path, file] of files) if (isElsewhere(path, file)) throw new DatabaseMoved(path);
  };
}

/**
 * Copies the commits of a log that is not there any more into the file, as far as no reader is in the way: only this
 * connection still has them. Where another log lies, SQLite would read that one with the file, so both stay as they are.
 */
export function keepCommits(writer: BetterSqlite.Database, { path }: DatabaseMoved): void {
  if (path !== `${writer.name}-wal` || existsSync(path)) return;
  try {
    if (writer.inTransaction) writer.exec('ROLLBACK');
    writer.pragma('wal_checkpoint(PASSIVE)');
  } catch {
    // What is in the file stays as it was.
  }
}
