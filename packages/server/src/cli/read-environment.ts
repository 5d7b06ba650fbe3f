import { idleSettings } from '../settings/idle-settings.js';
import {
  type ServerSettings,
  misspeltSettings,
  quotedSettings,
  readSettings,
} from '../settings/settings.js';
import { printError } from './output.js';
import type { Environment } from './remote.js';

/** Reads the settings from the environment, and prints a line for each name that looks misspelt, each value that is taken with the quotes around it, and each setting without an effect. */
export function readEnvironment(environment: Environment): ServerSettings {
  for (const line of misspeltSettings(environment)) printError(line);
  const settings = readSettings(environment);
  for (const line of [...quotedSettings(environment), ...idleSettings(environment)])
    printError(line);
  return settings;
}
