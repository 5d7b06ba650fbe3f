import { readFileSync } from 'node:fs';

/** The interface's version label (spec 9). */
export const INTERFACE_VERSION = '1.0';

const manifest = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as {
  readonly version: string;
};

/** The server's own version. */
export const version = manifest.version;
