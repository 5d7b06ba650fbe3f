import { statSync } from 'node:fs';

/** Whether there is such a file or folder. Throws where this user may not look: it may be there. */
export const isThere = (path: string): boolean =>
  statSync(path, { throwIfNoEntry: false }) !== undefined;

/** Whether it is a folder. Throws where this user may not look. */
export const isFolder = (path: string): boolean =>
  statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
