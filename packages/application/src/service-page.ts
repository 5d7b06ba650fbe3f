import type { Core } from './core.js';

const LOCAL = 'http://127.0.0.1:3000';

/** The address of a page of this service, by its path. */
export const pageOf = ({ settings }: Pick<Core, 'settings'>, path: string): string =>
  `${settings.publicUrl ?? LOCAL}${path}`;
