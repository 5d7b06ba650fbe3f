import { randomBytes } from 'node:crypto';
import {
  chmodSync,
  closeSync,
  fchmodSync,
  fchownSync,
  fsyncSync,
  linkSync,
  openSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { makePrivateFolder } from '@slipstream/adapter-sql';
import { proveMasterKey } from '@slipstream/application';
import type { Log, SecretBox, UnitOfWork } from '@slipstream/ports';
import { isThere } from '../settings/is-there.js';
import { OtherMasterKey, SettingError } from '../settings/setting-error.js';
import type { ServerSettings } from '../settings/settings.js';

type KeySettings = Pick<ServerSettings, 'SECRET_KEY' | 'SECRET_KEY_FILE' | 'DATABASE_URL'>;

/** Advice if the key is lost. */
const IF_LOST = 'If it is lost for ever, "slipstream replace-key" says what that costs.';

/** The minimum length, as for `SECRET_KEY`; a shorter key in a file was not written completely. */
const SHORTEST = 32;

const newKey = (): string => randomBytes(32).toString('hex');
const MADE_HERE = /^[\da-f]{64}$/;

/** A rename is on the disk when its folder is. */
function syncFolder(folder: string): void {
  const handle = openSync(folder, 'r');
  try {
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
}

/** Writes a file of keys under another name; `put` gives it its own only when it is whole and on the disk. */
function writeKeys(file: string, keys: readonly string[], put: typeof renameSync): void {
  const unfinished = `${file}.${process.pid}.new`;
  const before = statSync(file, { throwIfNoEntry: false });
  try {
    const handle = openSync(unfinished, 'w', 0o600);
    try {
      writeSync(handle, `${keys.join('\n')}\n`);
      if (before) {
        fchownSync(handle, before.uid, before.gid);
        fchmodSync(handle, before.mode);
      }
      fsyncSync(handle);
    } finally {
      closeSync(handle);
    }
    put(unfinished, file);
    syncFolder(dirname(file));
  } finally {
    rmSync(unfinished, { force: true });
  }
}

/** Writes a new key file; an existing file stays. */
function makeKeyFile(file: string): void {
  makePrivateFolder(dirname(file));
  try {
    writeKeys(file, [newKey()], linkSync);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
}

/** The file of the master key; undefined if the key is in SECRET_KEY, or is not stored. */
export function keyFileOf({
  SECRET_KEY,
  SECRET_KEY_FILE,
  DATABASE_URL: url,
}: KeySettings): string | undefined {
  if (SECRET_KEY) return undefined;
  return (
    SECRET_KEY_FILE ?? (url.kind === 'sqlite' ? join(dirname(url.file), 'secret.key') : undefined)
  );
}

/** Restricts a key file beside the database to its owner. For a file in another place it only warns. */
function requirePrivate(file: string, settings: KeySettings, log: Pick<Log, 'warn'>): void {
  if ((statSync(file).mode & 0o077) === 0) return;
  if (settings.SECRET_KEY_FILE !== undefined) {
    log.warn({ file }, 'other users can read the file of the master key');
    return;
  }
  chmodSync(file, 0o600);
  log.warn({ file }, 'other users could read the file of the master key; now only its owner can');
}

/** Turns a system error about the key file into a SettingError that names the setting. */
function ofKeyFile<Answer>(settings: KeySettings, file: string, action: () => Answer): Answer {
  try {
    return action();
  } catch (error) {
    const { code, syscall } = error as NodeJS.ErrnoException;
    if (syscall === undefined) throw error;
    const setting = settings.SECRET_KEY_FILE === undefined ? 'SECRET_KEY' : 'SECRET_KEY_FILE';
    throw new SettingError(
      `${setting}: the file of the master key ${file} cannot be made or read (${code})`,
    );
  }
}

/** What is wrong with the text of a key file; undefined if it has keys. */
export const keyProblem = (text: string): string | undefined =>
  text.trim().length < SHORTEST ? `it has fewer than ${SHORTEST} characters` : undefined;

/** The keys of a file, each in a line of its own. Of older ones somebody may have written one in several lines: a list begins with a key as made here. */
function readKeyFile(file: string): readonly string[] {
  const text = readFileSync(file, 'utf8').trim();
  const lines = text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
  if (MADE_HERE.test(lines[0] ?? '') && lines.every((line) => line.length >= SHORTEST))
    return lines;
  if (keyProblem(text) === undefined) return [text];
  throw new SettingError(
    `the master key in ${file} has fewer than ${SHORTEST} characters: put the right one back, or remove the file if no secret was encrypted with it yet`,
  );
}

/** Makes the key file (mode 0600) unless it exists. */
export function makeKey(settings: KeySettings): void {
  const file = keyFileOf(settings);
  if (file === undefined) return;
  ofKeyFile(settings, file, () => {
    if (!isThere(file)) makeKeyFile(file);
  });
}

/**
 * Begins a rotation: a new key in the first line of the key file. Several keys there, or in SECRET_KEY, mean that it was begun.
 * @throws SettingError when SECRET_KEY has one key: only its operator can put another in front; and of a key in several lines.
 */
export function beginRotation(settings: KeySettings): void {
  const file = keyFileOf(settings);
  if (file === undefined) {
    if (settings.SECRET_KEY && settings.SECRET_KEY.length > 1) return;
    throw new SettingError(
      'SECRET_KEY: put a new master key in front of the present one: SECRET_KEY=new,old. "openssl rand -hex 32" makes one',
    );
  }
  ofKeyFile(settings, file, () => {
    const [present = '', ...others] = readKeyFile(file);
    if (others.length > 0) return;
    if (present.includes('\n'))
      throw new SettingError(
        `the master key in ${file} has several lines, and keys are told apart by lines: nothing was changed. Set SECRET_KEY=new,old in place of the file, with the line breaks of the old one`,
      );
    writeKeys(realpathSync(file), [newKey(), present], renameSync);
  });
}

/** The storage whose secrets are encrypted with the key. */
interface SealedStorage {
  /** Whether the host supplies it: its data may be permanent, whatever DATABASE_URL says. */
  readonly isForeign: boolean;
  isUsed(): Promise<boolean>;
}

/** The master keys. A new key is made only for an unused storage; a storage in memory gets a new one at each start. */
export async function masterKeys(
  settings: KeySettings,
  storage: SealedStorage,
  log: Pick<Log, 'warn'>,
): Promise<readonly string[]> {
  if (settings.SECRET_KEY) return settings.SECRET_KEY;
  const file = keyFileOf(settings);
  if (file === undefined) {
    if (!storage.isForeign && settings.DATABASE_URL.kind === 'memory') return [newKey()];
    throw new SettingError(
      'set SECRET_KEY or SECRET_KEY_FILE: a storage of your own or in PostgreSQL needs a master key that survives a restart',
    );
  }
  if (!ofKeyFile(settings, file, () => isThere(file))) {
    if (await storage.isUsed()) {
      throw new SettingError(
        `SECRET_KEY: the master key of this database is missing: put its file back at ${file}, or set SECRET_KEY or SECRET_KEY_FILE. ${IF_LOST}`,
      );
    }
    makeKey(settings);
  }
  return ofKeyFile(settings, file, () => {
    requirePrivate(file, settings, log);
    return readKeyFile(file);
  });
}

/** The master keys as they are now; undefined when there are none, or they cannot be read. */
export function presentKeys(settings: KeySettings): readonly string[] | undefined {
  const file = keyFileOf(settings);
  try {
    return file === undefined ? settings.SECRET_KEY : readKeyFile(file);
  } catch {
    return undefined;
  }
}

/** Throws unless the box can decrypt the storage's secrets. */
export async function requireMasterKey(
  unitOfWork: UnitOfWork,
  secretBox: SecretBox,
): Promise<void> {
  if (await proveMasterKey({ unitOfWork, secretBox })) return;
  throw new OtherMasterKey(
    `SECRET_KEY: the secrets of this database were encrypted with another master key: put the right one back. ${IF_LOST}`,
  );
}
