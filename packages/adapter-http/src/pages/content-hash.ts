import { createHash } from 'node:crypto';

/** The source of a content security policy that allows exactly this script or style. */
export const contentHash = (text: string): string =>
  `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
