import { closeSync, existsSync, fsyncSync, mkdirSync, openSync, renameSync, rmSync } from 'node:fs';
import { chmod, copyFile } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { copyDatabase } from './backup.js';
import { makePrivateFolder, openReader, openWriter, requireSound } from './storage/connection.js';
import { UnusableDatabase, requireOwnFile } from './storage/own-file.js';
import { ownDatabase } from './storage/owner-lock.js';

function sync(path: string): void {
  const handle = openSync(path, 'r');
  try {
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
}

function requireWhole(made: string, copy: string): void {
  const reader = openReader(made);
  try {
    requireSound(reader);
  } catch {
    throw new UnusableDatabase(`${copy} is damaged or not complete: take another copy`);
  } finally {
    reader.close();
  }
}

/** Throws when a database, or the newest commits of one, lie there already. */
function requireNone(file: string): void {
  const found = ['', '-wal', '-shm'].map((end) => `${file}${end}`).find((path) => existsSync(path));
  if (found === undefined) return;
  throw new UnusableDatabase(
    `${found} exists already, and a restore overwrites nothing: move it, and what begins with its name, to another folder first`,
  );
}

/** More changes than one book has, and more cycles than a bot, between a copy and what made the copy necessary. */
const NEVER_COUNTED = 1_000_000;

/**
 * Clients heard of changes after the copy that are gone. The versions of those are not counted again: whoever has one of them gets
 * a snapshot, and does not miss what other changes there are now under the same number. Nor are the cycles of bots, which the ids of their
 * orders are made of: a broker that has an order of such an id would tell of it, and place no other one.
 */
function countOn(made: string): void {
  const writer = openWriter(made);
  try {
    writer.prepare('UPDATE books SET version = version + ?').run(NEVER_COUNTED);
    writer.prepare('UPDATE bots SET cycle = cycle + ?').run(NEVER_COUNTED);
  } finally {
    writer.close();
  }
}

/**
 * Makes the database `to` from the copy `from`, which does not change. `check` opens the new file before it has its name; if it
 * throws, or the process ends, there is no database at `to`. Rejects with `UnusableDatabase` when `from` is not such a database or
 * `to` exists, and with `DatabaseInUse` while a process has `to` open.
 */
export async function restoreSqlite(
  from: string,
  to: string,
  check: (file: string) => Promise<void>,
): Promise<void> {
  const [copy, file] = [resolve(from), resolve(to)];
  requireOwnFile(copy);
  const disown = ownDatabase(file);
  const unfinished = `${file}.restoring`;
  try {
    requireNone(file);
    rmSync(unfinished, { recursive: true, force: true });
    makePrivateFolder(dirname(file));
    mkdirSync(unfinished, { mode: 0o700 });
    const made = join(unfinished, basename(file));
    // A copy has no log of newest commits beside it. It may lie where nothing can be written, and SQLite would make a log there.
    if (existsSync(`${copy}-wal`)) await copyDatabase(openReader(copy), copy, made);
    else await copyFile(copy, made);
    await chmod(made, 0o600);
    requireWhole(made, copy);
    await check(made);
    countOn(made);
    sync(made);
    renameSync(made, file);
    sync(dirname(file));
  } finally {
    rmSync(unfinished, { recursive: true, force: true });
    disown();
  }
}
