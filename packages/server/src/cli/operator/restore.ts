import { copyFile, mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { UnusableDatabase, makePrivateFolder, restoreSqlite } from '@slipstream/adapter-sql';
import { Refusal } from '@slipstream/domain';
import { archiveFiles, archivesOf } from '../../audit/audit-archives.js';
import { keyFileOf, keyProblem } from '../../composition/secret-key.js';
import { isThere } from '../../settings/is-there.js';
import { OtherMasterKey, SettingError } from '../../settings/setting-error.js';
import type { ServerSettings } from '../../settings/settings.js';
import { readEnvironment } from '../read-environment.js';
import type { Environment } from '../remote.js';
import { withApplication } from './database.js';
import { textOf } from '../../settings/text-of.js';
import { writing } from '../../settings/writing.js';

/** Where the parts of a server lie that are not in the copy of its database. */
export interface RestoreOptions {
  /** The file of the stored master key. */
  readonly key?: string;
  /** The folder of the stored archives. */
  readonly archives?: string;
}

const hasCode = (error: unknown, code: string): boolean =>
  (error as NodeJS.ErrnoException).code === code;

/** Puts the stored key at its place, and answers how to undo that. A key that is there already stays, and must be the same. */
async function placeKey(settings: ServerSettings, stored: string): Promise<() => Promise<void>> {
  const place = keyFileOf(settings);
  if (place === undefined)
    throw new SettingError('SECRET_KEY is the master key already: leave out --key, or SECRET_KEY');
  const key = await textOf(stored);
  const problem = keyProblem(key);
  if (problem !== undefined)
    throw new Refusal('invalid_field', `${stored} is no master key: ${problem}`);
  makePrivateFolder(dirname(resolve(place)));
  try {
    await writing(place, writeFile(place, key, { flag: 'wx', mode: 0o600 }));
    return () => rm(place, { force: true });
  } catch (error) {
    if (!hasCode(error, 'EEXIST')) {
      // Its beginning would be another key than the stored one to the next restore.
      await rm(place, { force: true }).catch(() => undefined);
      throw error;
    }
    if ((await textOf(place)).trim() === key.trim()) return async () => undefined;
    throw new Refusal(
      'conflict',
      `${place} is another key than ${stored}, and a restore overwrites nothing: move it away first`,
    );
  }
}

/** Copies the archives that are not there yet; an archive never changes. */
async function placeArchives(from: string, to: string): Promise<void> {
  const archives = await archiveFiles(from);
  if (archives.length > 0) await mkdir(to, { recursive: true, mode: 0o700 });
  for (const { path } of archives) {
    const place = join(to, basename(path));
    if (isThere(place)) continue;
    // It gets its name when it is whole: what ends in the middle would stay as a broken archive.
    await copyFile(path, `${place}.partial`);
    await rename(`${place}.partial`, place);
  }
}

/**
 * Makes the database of the settings from a copy, updated to this release, with its key and archives. Overwrites nothing, and
 * leaves no database behind if the key is missing or another one.
 */
export async function restore(
  environment: Environment,
  copy: string,
  { key, archives }: RestoreOptions,
): Promise<{ readonly file: string }> {
  const settings = readEnvironment(environment);
  const { DATABASE_URL: url } = settings;
  if (url.kind === 'postgres')
    throw new SettingError(
      'DATABASE_URL names a PostgreSQL database: restore it with pg_restore into an empty database',
    );
  if (url.kind !== 'sqlite')
    throw new SettingError('DATABASE_URL must name the SQLite file to make');
  if (!isThere(copy)) throw new Refusal('not_found', `there is no copy ${resolve(copy)}`);
  if (resolve(copy) === resolve(url.file))
    throw new Refusal('invalid_field', 'the copy must be another file than the database');
  for (const given of [key, archives])
    if (given !== undefined && !isThere(given))
      throw new Refusal('not_found', `there is no ${resolve(given)}`);

  let undo = async (): Promise<void> => undefined;
  try {
    await restoreSqlite(copy, url.file, async (file) => {
      if (key !== undefined) undo = await placeKey(settings, key);
      const keyFile = keyFileOf(settings);
      await withApplication(
        {
          ...settings,
          DATABASE_URL: { kind: 'sqlite', file },
          ...(keyFile !== undefined && { SECRET_KEY_FILE: keyFile }),
        },
        undefined,
        async () => undefined,
      );
      await placeArchives(archives ?? archivesOf(copy), archivesOf(url.file));
    });
  } catch (error) {
    await undo();
    if (key !== undefined && error instanceof OtherMasterKey)
      throw new Refusal(
        'conflict',
        `the secrets of ${copy} were encrypted with another master key than ${key}`,
      );
    throw error instanceof UnusableDatabase ? new Refusal('conflict', error.message) : error;
  }
  return { file: url.file };
}
