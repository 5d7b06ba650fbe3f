import { backupSqlite } from '@slipstream/adapter-sql';
import type { Application } from '@slipstream/application';
import { APPLICATION, createContainer } from '../container.js';
import { jsonLogger, logFrom } from '../logging.js';
import { SettingError, type ServerSettings } from '../settings.js';

/** Opens the database as its owner, without market or network, for the time of `work`. */
export async function withApplication(
  settings: ServerSettings,
  work: (application: Application) => Promise<void>,
): Promise<void> {
  const container = createContainer(settings, logFrom(jsonLogger('warn')));
  try {
    await work(await container.getAsync(APPLICATION));
  } finally {
    await container.unbindAllAsync();
  }
}

/** Copies the database file of one moment; the server may be running. */
export async function backUp({ DATABASE_URL: url }: ServerSettings, to: string): Promise<void> {
  if (url.kind !== 'sqlite') throw new SettingError('DATABASE_URL must name a SQLite file to copy');
  await backupSqlite(url.file, to);
}
