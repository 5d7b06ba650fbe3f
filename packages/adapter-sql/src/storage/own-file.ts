import { closeSync, existsSync, openSync, readSync, statSync } from 'node:fs';
import { codeOf } from './failures.js';

/** The path names something that this release cannot use as its database. Nothing at the path was changed. */
export class UnusableDatabase extends Error {
  override readonly name = 'UnusableDatabase';
}

/** `SLIP` in the header of each database that this package opened (SQLite file format, section 1.3). */
export const APPLICATION_ID = 0x534c4950;
const APPLICATION_ID_AT = 68;
const HEADER_SIZE = 100;
const SQLITE = 'SQLite format 3\0';

/** Identifies the schema of our databases that are older than the mark in the header. */
const OUR_TABLE = Buffer.from('CREATE TABLE migrations (name TEXT PRIMARY KEY) STRICT');
const CHUNK = 1 << 20;

/**
 * Throws `UnusableDatabase` when the path is a folder or a file of something else. It is read as plain bytes: SQLite
 * would leave files beside it.
 */
export function requireOwnFile(path: string): void {
  const found = usable(path, () => statSync(path, { throwIfNoEntry: false }));
  if (!found) return;
  if (!found.isFile()) throw new UnusableDatabase(`${path} is no file`);
  // Only this package makes it. Closing a file that this process has open as a database would drop its locks.
  if (found.size === 0 || existsSync(`${path}-lock`)) return;
  const file = usable(path, () => openSync(path, 'r'));
  try {
    if (!isOurs(file)) {
      throw new UnusableDatabase(
        `${path} is not a database of Slipstream; nothing in it was changed`,
      );
    }
  } finally {
    closeSync(file);
  }
}

/** Throws `UnusableDatabase` where the system says that a file cannot be there. */
export function usable<Answer>(path: string, action: () => Answer): Answer {
  try {
    return action();
  } catch (error) {
    const refusal = codeOf(error);
    if (!/^E[A-Z]+$/.test(refusal)) throw error;
    throw new UnusableDatabase(`${path} cannot be made or opened (${refusal})`);
  }
}

function isOurs(file: number): boolean {
  const header = Buffer.alloc(HEADER_SIZE);
  if (readSync(file, header, 0, HEADER_SIZE, 0) < HEADER_SIZE) return false;
  if (header.toString('latin1', 0, SQLITE.length) !== SQLITE) return false;
  const mark = header.readUInt32BE(APPLICATION_ID_AT);
  return mark === APPLICATION_ID || (mark === 0 && contains(file, OUR_TABLE));
}

function contains(file: number, text: Buffer): boolean {
  const chunk = Buffer.alloc(CHUNK + text.length);
  for (let at = 0; ; at += CHUNK) {
    // Each chunk overlaps the next, so that nothing is missed at an edge.
    const length = readSync(file, chunk, 0, chunk.length, at);
    if (chunk.subarray(0, length).includes(text)) return true;
    if (length < chunk.length) return false;
  }
}
