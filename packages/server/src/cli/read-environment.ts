import { type ServerSettings, misspeltSettings, readSettings } from '../settings/settings.js';
import { printError } from './output.js';
import type { Environment } from './remote.js';

/** Reads the settings from the environment, and prints a line for each name that looks misspelt. */
export function readEnvironment(environment: Environment): ServerSettings {
  for (const line of misspeltSettings(environment)) printError(line);
  return readSettings(environment);
}
