import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { makePrivateFile, openHandle } from './connection.js';
import { codeOf, isLocked } from './failures.js';
import { requireOwnFile, usable } from './own-file.js';

/** The process that holds a database. */
export interface Holder {
  readonly pid: number;
  readonly host: string;
}

/** Another process, or this one, has the database open. */
export class DatabaseInUse extends Error {
  override readonly name = 'DatabaseInUse';
  constructor(
    path: string,
    readonly holder: Holder | undefined,
  ) {
    const who = holder ? `process ${holder.pid} on ${holder.host}` : 'another process';
    super(`the database ${path} is in use by ${who}`);
  }
}

function holderIn(file: string): Holder | undefined {
  try {
    const { pid, host } = JSON.parse(readFileSync(file, 'utf8')) as Partial<Holder>;
    return typeof pid === 'number' && typeof host === 'string' ? { pid, host } : undefined;
  } catch {
    // The holder has just begun or is just going: it cannot be named.
    return undefined;
  }
}

/** The process that owns the database now; undefined when none does, or it cannot be named. */
export function readHolder(path: string): Holder | undefined {
  const holder = holderIn(`${path}-owner`);
  if (holder === undefined || holder.host !== hostname()) return holder;
  try {
    process.kill(holder.pid, 0);
    return holder;
  } catch (error) {
    // Another user's process may not be signalled, and lives.
    return codeOf(error) === 'EPERM' ? holder : undefined;
  }
}

/**
 * Makes this process the owner of the database, until the returned function is called or the process ends, however it
 * ends: the lock is the kernel's, on a small file beside the database. Throws `DatabaseInUse`, or `UnusableDatabase`
 * before anything is changed.
 */
export function ownDatabase(path: string): () => void {
  const lockFile = `${path}-lock`;
  const ownerFile = `${path}-owner`;
  requireOwnFile(path);
  usable(lockFile, () => makePrivateFile(lockFile));
  const lock = usable(lockFile, () => openHandle(lockFile, { timeout: 0 }));
  try {
    usable(lockFile, () => lock.exec('BEGIN EXCLUSIVE'));
  } catch (error) {
    lock.close();
    throw isLocked(error) ? new DatabaseInUse(path, holderIn(ownerFile)) : error;
  }
  const holder: Holder = { pid: process.pid, host: hostname() };
  try {
    usable(ownerFile, () => writeFileSync(ownerFile, JSON.stringify(holder), { mode: 0o600 }));
  } catch (error) {
    lock.close();
    throw error;
  }

  return () => {
    rmSync(ownerFile, { force: true });
    lock.close();
  };
}
