import type BetterSqlite from 'better-sqlite3';
import { APPLICATION_ID, UnusableDatabase } from '../storage/own-file.js';
import { migrations } from './index.js';

/** Whether there is nothing to migrate; of a file that cannot be read, false. */
export function isMigrated(handle: BetterSqlite.Database): boolean {
  try {
    const applied = new Set(handle.prepare('SELECT name FROM migrations').pluck().all());
    return Object.keys(migrations).every((name) => applied.delete(name)) && applied.size === 0;
  } catch {
    return false;
  }
}

/**
 * Brings the schema up to date, all or nothing, and answers the names of what was applied. Throws when the database
 * knows a migration that this release does not: it was used by a later one (`UnusableDatabase`).
 */
export function migrate(
  handle: BetterSqlite.Database,
  known: Readonly<Record<string, string>> = migrations,
): string[] {
  const apply = handle.transaction(() => {
    handle.exec('CREATE TABLE IF NOT EXISTS migrations (name TEXT PRIMARY KEY) STRICT');
    const applied = handle.prepare('SELECT name FROM migrations').pluck().all() as string[];
    const later = applied.find((name) => !(name in known));
    if (later) {
      throw new UnusableDatabase(
        `the database is of a later release: it has migration ${later}. Use that release, or a backup from before`,
      );
    }

    const missing = Object.entries(known).filter(([name]) => !applied.includes(name));
    const remember = handle.prepare('INSERT INTO migrations (name) VALUES (?)');
    for (const [name, sql] of missing) {
      handle.exec(sql);
      remember.run(name);
    }
    if (missing.length > 0) handle.pragma(`application_id = ${APPLICATION_ID}`);
    return missing.map(([name]) => name);
  });
  const applied = apply.immediate();
  // The file itself says from now on whose it is: without the lock beside it, only what is in the file is looked at.
  if (applied.length > 0) handle.pragma('wal_checkpoint(PASSIVE)');
  return applied;
}
