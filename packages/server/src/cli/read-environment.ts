import {
  type ServerSettings,
  misspeltSettings,
  quotedSettings,
  readSettings,
} from '../settings/settings.js';
import { printError } from './output.js';
import type { Environment } from './remote.js';

/** Reads the settings from the environment, and prints a line for each name that looks misspelt, and each value that is taken with the quotes around it. */
export function readEnvironment(environment: Environment): ServerSettings {
  for (const line of misspeltSettings(environment)) printError(line);
  const settings = readSettings(environment);
  for (const line of quotedSettings(environment)) printError(line);
  return settings;
}
