import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** The master keys: those of the setting, or the one in the data folder, made there (mode 0600) when it is missing. */
export function masterKeys(
  setting: readonly string[] | undefined,
  databaseFile: string | undefined,
): readonly string[] {
  if (setting) return setting;
  if (databaseFile === undefined) return [randomBytes(32).toString('hex')];
  const file = join(dirname(databaseFile), 'secret.key');
  if (!existsSync(file)) {
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
    writeFileSync(file, `${randomBytes(32).toString('hex')}\n`, { mode: 0o600, flag: 'wx' });
  }
  return [readFileSync(file, 'utf8').trim()];
}
