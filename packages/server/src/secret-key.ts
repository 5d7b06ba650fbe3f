import { randomBytes } from 'node:crypto';
import {
  closeSync,
  existsSync,
  fsyncSync,
  linkSync,
  mkdirSync,
  openSync,
  readFileSync,
  rmSync,
  writeSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { SettingError } from './settings.js';

/** As `SECRET_KEY` asks for; a shorter key was not written to the end. */
const SHORTEST = 32;

const newKey = (): string => randomBytes(32).toString('hex');

/** The file appears under its name only when the whole key is on the disk; one that is there already stays. */
function makeKeyFile(file: string): void {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
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

/** The master keys: those of the setting, or the one in the data folder, made there (mode 0600) when it is missing. */
export function masterKeys(
  setting: readonly string[] | undefined,
  databaseFile: string | undefined,
): readonly string[] {
  if (setting) return setting;
  if (databaseFile === undefined) return [newKey()];
  const file = join(dirname(databaseFile), 'secret.key');
  if (!existsSync(file)) makeKeyFile(file);
  const key = readFileSync(file, 'utf8').trim();
  if (key.length < SHORTEST) {
    throw new SettingError(
      `the master key in ${file} has fewer than ${SHORTEST} characters: put the right one back, or remove the file if nothing was sealed with it yet`,
    );
  }
  return [key];
}
