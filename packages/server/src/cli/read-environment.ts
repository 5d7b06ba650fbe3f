import { type ServerSettings, misspeltSettings, readSettings } from '../settings/settings.js';
import { printError } from './output.js';
import type { Environment } from './remote.js';

/** The settings of the environment; a name that looks like a misspelt one gets a line. */
export function readEnvironment(environment: Environment): ServerSettings {
  for (const line of misspeltSettings(environment)) printError(line);
  return readSettings(environment);
}
