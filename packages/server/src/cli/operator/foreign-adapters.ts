import type { Log } from '@slipstream/ports';
import type { Command } from 'commander';
import {
  ADAPTER_NAMES,
  type Adapters,
  type AdaptersModule,
  closeAdapters,
} from '../../composition/adapters.js';
import { loadModule } from '../load-module.js';
import { SettingError } from '../../settings/setting-error.js';
import type { ServerSettings } from '../../settings/settings.js';

/** The options of a command that opens the storage. */
export interface WithAdapters {
  readonly with?: string;
}

/** The default export of the user's module. */
async function readModule(file: string): Promise<AdaptersModule> {
  const { default: found } = await loadModule(
    file,
    (reason) => new SettingError(`--with ${file}: ${reason}`),
  );
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
  const adapters = typeof found === 'function' ? await found({ settings, log }) : found;
  // One that is misspelt would be replaced by what the settings choose: another storage, for example.
  const unknown = Object.keys(adapters).find((name) => !(name in ADAPTER_NAMES));
  if (unknown === undefined) return adapters;
  await closeAdapters(adapters).catch(() => undefined);
  throw new SettingError(
    `--with ${file}: "${unknown}" is no adapter; there are ${Object.keys(ADAPTER_NAMES).join(', ')}`,
  );
}
