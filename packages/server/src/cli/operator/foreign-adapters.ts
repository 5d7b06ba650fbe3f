import type { Log } from '@slipstream/ports';
import type { Command } from 'commander';
import type { Adapters, AdaptersModule } from '../../composition/adapters.js';
import { loadModule } from '../load-module.js';
import { SettingError } from '../../settings/setting-error.js';
import type { ServerSettings } from '../../settings/settings.js';

/** The options of a command that opens the storage. */
export interface WithAdapters {
  readonly with?: string;
}

/** Adds `--with <file>` to a command that opens the storage. */
export const takingAdapters = (command: Command): Command =>
  command.option('--with <file>', 'use the adapters of this module, e.g. ./mine.js');

/** The adapters of the module given with `--with`; none without it. */
export async function adaptersOf(
  file: string | undefined,
  settings: ServerSettings,
  log: Log,
): Promise<Adapters> {
  if (file === undefined) return {};
  const { default: made } = await loadModule(
    file,
    (reason) => new SettingError(`--with ${file}: ${reason}`),
  );
  const found = made as AdaptersModule;
  const opened: unknown = typeof found === 'function' ? await found({ settings, log }) : found;
  if (typeof opened === 'object' && opened !== null) return opened;
  throw new SettingError(
    `--with ${file} must have adapters, or a function that opens them, as its default export`,
  );
}
