import { rename, rm } from 'node:fs/promises';
import type BetterSqlite from 'better-sqlite3';
import { makePrivateFile } from './storage/connection.js';

/**
 * Copies one moment of the database that `source`, a connection of its own, reads; closes `source`. The copy appears
 * under its name only when it is complete.
 */
export async function copyDatabase(
  source: BetterSqlite.Database,
  path: string,
  to: string,
): Promise<void> {
  const partial = `${to}.partial`;
  try {
    if (to === path) throw new Error('a database cannot be copied onto itself');
    await rm(partial, { force: true });
    makePrivateFile(partial);
    // Pins the moment: without it, every commit meanwhile would begin the copy anew.
    source.exec('BEGIN');
    source.prepare('SELECT count(*) FROM sqlite_schema').get();
    await source.backup(partial);
    source.exec('COMMIT');
    await rename(partial, to);
  } finally {
    source.close();
  }
}
