import { closeSync, fdatasync, fdatasyncSync, openSync } from 'node:fs';
import type BetterSqlite from 'better-sqlite3';
import { LOG_PAGES, holdInLog } from '../storage/connection.js';
import { keptInPlace } from './in-place.js';

/** Makes the commits that were written durable. */
export interface Sync {
  /** Throws when what would be written now could not be found again. */
  requireInPlace(): void;
  /** Milliseconds that one takes, as far as is known. */
  duration(): number;
  /** Does it while everybody waits. */
  now(): void;
  /** Does it while others go on. */
  later(): Promise<void>;
  close(): void;
}

/** That of SQLite's log. */
export interface LogSync extends Sync {
  /** How many pages the log holds: more on a slow disk. */
  pages(): number;
}

/** A long sync counts only when others follow: every disk has one now and then. */
const GROWS = 2;

/** A log of 40 MB: a full one is copied in 75 ms at most. */
const MOST_PAGES = 5 * LOG_PAGES;

/**
 * The event loop waits for three syncs whenever the log is full: the longer they take, the more the log holds, so that
 * they take the same part of the time.
 */
const pagesFor = (duration: number): number =>
  Math.min(Math.max(1, Math.round(duration)) * LOG_PAGES, MOST_PAGES);

/**
 * From now on commits of `writer` are written and not synced: SQLite would do that while the event loop waits. What it
 * syncs still is the log's new beginning, and the log and the file when it copies one into the other.
 */
export function logSync(writer: BetterSqlite.Database, path: string): LogSync {
  // SQLite keeps its locks on the file and on its index, so that this one may be closed.
  const log = openSync(`${path}-wal`, 'r+');
  writer.pragma('synchronous = NORMAL');
  let duration = Infinity;
  let pages = LOG_PAGES;
  const measured = (began: number): void => {
    duration = Math.min(performance.now() - began, duration * GROWS);
    if (pages === pagesFor(duration)) return;
    pages = pagesFor(duration);
    holdInLog(writer, pages);
  };
  return {
    requireInPlace: keptInPlace(path),
    duration: () => duration,
    pages: () => pages,
    now() {
      const began = performance.now();
      fdatasyncSync(log);
      measured(began);
    },
    later: () =>
      new Promise((resolve, reject) => {
        const began = performance.now();
        fdatasync(log, (error) => {
          if (error) return reject(error);
          measured(began);
          resolve();
        });
      }),
    close: () => closeSync(log),
  };
}
