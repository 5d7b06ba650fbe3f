import { rename, rm } from 'node:fs/promises';
import type BetterSqlite from 'better-sqlite3';
import { makePrivateFile } from './storage/connection.js';

/**
 * Copies one moment of the database through `source`, a separate connection, and closes it. The copy gets its name only when
 * it is complete.
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
    // Pins the moment: without it, every commit meanwhile would restart the copy.
    source.exec('BEGIN');
    source.prepare('SELECT count(*) FROM sqlite_schema').get();
    await source.backup(partial);
    source.exec('COMMIT');
    await rename(partial, to);
  } catch (error) {
    await rm(partial, { force: true });
    throw error;
  } finally {
    source.close();
  }
}
