import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

export const ROOT = join(import.meta.dirname, '../../../..');
export const PACKAGES = join(ROOT, 'packages');

/** The TypeScript of every package and example: sources and tests. What is installed or built beside them is never looked through. */
export const scripts = (): string[] =>
  [PACKAGES, join(ROOT, 'examples')]
    .flatMap((all) => readdirSync(all).map((name) => join(all, name)))
    .flatMap((folder) => ['src', 'tests'].map((part) => join(folder, part)))
    .filter((folder) => existsSync(folder))
    .flatMap((folder) =>
      readdirSync(folder, { recursive: true, encoding: 'utf8' })
        .filter((file) => file.endsWith('.ts'))
        .map((file) => join(folder, file)),
    );
