import { randomBytes } from 'node:crypto';
import {
  chmodSync,
  closeSync,
  existsSync,
  fsyncSync,
  linkSync,
  openSync,
  readFileSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { makePrivateFolder } from '@slipstream/adapter-sql';
import { proveMasterKey } from '@slipstream/application';
import type { Log, SecretBox, UnitOfWork } from '@slipstream/ports';
import { SettingError } from './settings/setting-error.js';
import type { ServerSettings } from './settings/settings.js';

type KeySettings = Pick<ServerSettings, 'SECRET_KEY' | 'SECRET_KEY_FILE' | 'DATABASE_URL'>;

/** What to do when nobody has the key any more. */
const IF_LOST = 'If it is lost for ever, "slipstream replace-key" says what that costs.';

/** As `SECRET_KEY` asks for; a shorter key was not written to the end. */
const SHORTEST = 32;

const newKey = (): string => randomBytes(32).toString('hex');

/** The file appears under its name only when the whole key is on the disk; one that is there already stays. */
function makeKeyFile(file: string): void {
  makePrivateFolder(dirname(file));
  const unfinished = `${file}.${process.pid}.new`;
  try {
    const handle = openSync(unfinished, 'w', 0o600);
    try {
      writeSync(handle, `${newKey()}\n`);
      fsyncSync(handle);
    } finally {
      closeSync(handle);
    }
    linkSync(unfinished, file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  } finally {
    rmSync(unfinished, { force: true });
  }
}

/** Where the master key of these settings is kept; undefined when it is in SECRET_KEY, or nowhere. */
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

/** A key beside the database is kept to its owner; of one that somebody put elsewhere it is only said that others can read it. */
function requirePrivate(file: string, settings: KeySettings, log: Pick<Log, 'warn'>): void {
  if ((statSync(file).mode & 0o077) === 0) return;
  if (settings.SECRET_KEY_FILE !== undefined) {
    log.warn({ file }, 'the file of the master key can be read by others than its owner');
    return;
  }
  chmodSync(file, 0o600);
  log.warn({ file }, 'the file of the master key could be read by others; it is for its owner now');
}

/** What the system says against the key's file, by the name of the setting. */
function ofKeyFile<Answer>(settings: KeySettings, file: string, work: () => Answer): Answer {
  try {
    return work();
  } catch (error) {
    const { code, syscall } = error as NodeJS.ErrnoException;
    if (syscall === undefined) throw error;
    const setting = settings.SECRET_KEY_FILE === undefined ? 'SECRET_KEY' : 'SECRET_KEY_FILE';
    throw new SettingError(
      `${setting}: the file of the master key ${file} cannot be made or read (${code})`,
    );
  }
}

function readKeyFile(file: string): string {
  const key = readFileSync(file, 'utf8').trim();
  if (key.length >= SHORTEST) return key;
  throw new SettingError(
    `the master key in ${file} has fewer than ${SHORTEST} characters: put the right one back, or remove the file if nothing was sealed with it yet`,
  );
}

/** Makes the key's file (mode 0600) unless it is there. */
export function makeKey(settings: KeySettings): void {
  const file = keyFileOf(settings);
  if (file !== undefined && !existsSync(file)) ofKeyFile(settings, file, () => makeKeyFile(file));
}

/** The storage whose secrets the key seals. */
interface SealedStorage {
  /** Whether the host brought it: it may keep what it is given, whatever DATABASE_URL says. */
  readonly isForeign: boolean;
  isUsed(): Promise<boolean>;
}

/** The master keys. A new one is made only for a storage without secrets; one that forgets has its own each start. */
export async function masterKeys(
  settings: KeySettings,
  storage: SealedStorage,
  log: Pick<Log, 'warn'>,
): Promise<readonly string[]> {
  if (settings.SECRET_KEY) return settings.SECRET_KEY;
  const file = keyFileOf(settings);
  if (file === undefined) {
    if (!storage.isForeign) return [newKey()];
    throw new SettingError(
      'SECRET_KEY or SECRET_KEY_FILE must be given: a storage of your own needs a key that is kept as well',
    );
  }
  if (!existsSync(file)) {
    if (await storage.isUsed()) {
      throw new SettingError(
        `SECRET_KEY: the master key of this database is missing: put its file back at ${file}, or name it by SECRET_KEY or SECRET_KEY_FILE. ${IF_LOST}`,
      );
    }
    makeKey(settings);
  }
  return ofKeyFile(settings, file, () => {
    requirePrivate(file, settings, log);
    return [readKeyFile(file)];
  });
}

/** Throws unless the box opens the storage's secrets. */
export async function requireMasterKey(
  unitOfWork: UnitOfWork,
  secretBox: SecretBox,
): Promise<void> {
  if (await proveMasterKey({ unitOfWork, secretBox })) return;
  throw new SettingError(
    `SECRET_KEY: this is not the master key by which the secrets of this database were sealed: put the right one back. ${IF_LOST}`,
  );
}
