import { randomInt } from 'node:crypto';
import { readdir, rename, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import type BetterSqlite from 'better-sqlite3';
import { makePrivateFile } from './storage/connection.js';
import { codeOf } from './storage/failures.js';

const hasEnded = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
    return false;
  } catch (error) {
    return codeOf(error) === 'ESRCH';
  }
};

/** Removes what copies to that place left that were killed; what a process is making stays. */
async function removeLeft(to: string): Promise<void> {
  const folder = dirname(to);
  for (const name of await readdir(folder)) {
    if (!name.startsWith(`${basename(to)}.`)) continue;
    const [, pid] =
      /^\.(\d+)-\d+\.partial(?:-journal)?$/.exec(name.slice(basename(to).length)) ?? [];
    if (pid !== undefined && hasEnded(Number(pid))) await rm(join(folder, name), { force: true });
  }
}

/**
 * Copies one moment of the database through `source`, a separate connection, and closes it. The copy gets its name only when
 * it is complete.
 */
export async function copyDatabase(
  source: BetterSqlite.Database,
  path: string,
  to: string,
): Promise<void> {
  // A name of its own: another process may be copying to the same place.
  const partial = `${to}.${process.pid}-${randomInt(1e9)}.partial`;
  try {
    if (to === path) throw new Error('a database cannot be copied onto itself');
    makePrivateFile(partial);
    await removeLeft(to);
    // Pins the moment: without it, every commit meanwhile would restart the copy.
    source.exec('BEGIN');
    source.prepare('SELECT count(*) FROM sqlite_schema').get();
    await source.backup(partial);
    source.exec('COMMIT');
    await rename(partial, to);
  } catch (error) {
    for (const left of [partial, `${partial}-journal`]) await rm(left, { force: true });
    throw error;
  } finally {
    source.close();
  }
}
