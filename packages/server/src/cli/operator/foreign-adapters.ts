import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Log } from '@slipstream/ports';
import type { Command } from 'commander';
import type { Adapters, AdaptersModule } from '../../adapters.js';
import { SettingError } from '../../settings/setting-error.js';
import type { ServerSettings } from '../../settings/settings.js';

/** The options of a command that opens the storage. */
export interface WithAdapters {
  readonly with?: string;
}

/** The default export of the user's module. */
async function readModule(file: string): Promise<AdaptersModule> {
  const path = resolve(file);
  if (!existsSync(path)) throw new SettingError(`--with ${file}: there is no such file`);
  const { default: found } = (await import(pathToFileURL(path).href)) as {
    readonly default?: unknown;
  };
  if ((typeof found === 'object' && found !== null) || typeof found === 'function') return found;
  throw new SettingError(
    `--with ${file} must have adapters, or a function that opens them, as its default export`,
  );
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
  const found = await readModule(file);
  return typeof found === 'function' ? found({ settings, log }) : found;
}
