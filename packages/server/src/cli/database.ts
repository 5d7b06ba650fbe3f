import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { backupSqlite } from '@slipstream/adapter-sql';
import type { Application } from '@slipstream/application';
import { Refusal } from '@slipstream/domain';
import { compose } from '../compose.js';
import { APPLICATION } from '../container.js';
import { jsonLogger, logFrom } from '../logging.js';
import { makeKey } from '../secret-key.js';
import { SettingError, type ServerSettings } from '../settings.js';
import { adaptersOf } from './foreign-adapters.js';

/** A mistyped path or another folder must not become a new, empty database. */
export function requireDatabase({ DATABASE_URL: url }: ServerSettings, init: boolean): void {
  if (init || url.kind === 'memory' || existsSync(url.file)) return;
  throw new Refusal('not_found', `there is no database ${resolve(url.file)}; --init makes one`);
}

/** Opens the storage as its owner, without market or network, for the time of `work`. */
export async function withApplication(
  settings: ServerSettings,
  adaptersFile: string | undefined,
  work: (application: Application) => Promise<void>,
): Promise<void> {
  const log = logFrom(jsonLogger('warn'));
  const adapters = await adaptersOf(adaptersFile, settings, log);
  const { container, close } = await compose(settings, log, adapters);
  try {
    await work(await container.getAsync(APPLICATION));
  } finally {
    await close();
  }
}

/** Takes the present master key for that of the storage; makes its file when there is none. */
export async function replaceKey(
  settings: ServerSettings,
  adaptersFile: string | undefined,
): Promise<void> {
  const log = logFrom(jsonLogger('warn'));
  makeKey(settings);
  const adapters = await adaptersOf(adaptersFile, settings, log);
  const { close } = await compose(settings, log, adapters, { replacesKey: true });
  await close();
}

/** Copies the database file of one moment; the server may be running. A file that is there is replaced only by `force`. */
export async function backUp(
  { DATABASE_URL: url }: ServerSettings,
  to: string,
  { force }: { readonly force: boolean },
): Promise<void> {
  if (url.kind !== 'sqlite') throw new SettingError('DATABASE_URL must name a SQLite file to copy');
  if (!existsSync(url.file)) throw new Refusal('not_found', `there is no database ${url.file}`);
  if (resolve(to) === resolve(url.file)) {
    throw new Refusal('invalid_field', 'the copy needs a file of its own');
  }
  if (!force && existsSync(to)) {
    throw new Refusal('conflict', `${to} is there already; --force replaces it`);
  }
  await backupSqlite(url.file, to);
}
