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

/** What lets a file be used that this user may not open or change. */
const OF_ANOTHER =
  ': it must belong to the user that runs this, who must be able to write in its folder';
const ADVICE: Readonly<Record<string, string>> = {
  EACCES: OF_ANOTHER,
  EPERM: OF_ANOTHER,
  EROFS: ': its disk can only be read',
};

/** Why the file cannot be used, and what lets it be; undefined of an error that is not about that. */
function whyUnusable(path: string, error: unknown): string | undefined {
  const code = codeOf(error);
  if (/^E[A-Z]+$/.test(code)) {
    const { path: its = path } = error as NodeJS.ErrnoException;
    return `${its} cannot be made or opened (${code})${ADVICE[code] ?? ''}`;
  }
  if (/^SQLITE_(CORRUPT|NOTADB)/.test(code)) return damaged(path, code);
  if (/^SQLITE_(READONLY|CANTOPEN|PERM)/.test(code))
    return `${path}, or a file beside it whose name begins alike, cannot be opened (${code})${OF_ANOTHER}`;
  return undefined;
}

/** What is said of a damaged file. */
export const damaged = (path: string, how: string): string =>
  `${path} is damaged (${how}): restore a backup, as docs/restoring.md says`;

/** Throws `UnusableDatabase` where the system or SQLite says that a file cannot be there, be opened or be read. */
export function usable<Answer>(path: string, action: () => Answer): Answer {
  try {
    return action();
  } catch (error) {
    const why = whyUnusable(path, error);
    if (why === undefined) throw error;
    throw new UnusableDatabase(why);
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
