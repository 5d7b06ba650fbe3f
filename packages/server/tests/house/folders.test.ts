import { readdirSync } from 'node:fs';
import { join, relative } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { PACKAGES } from '../helpers/repository.js';

/** More files than this are read as a list, not as a subject. */
const MOST = 20;
/** Folders that may have more, and why. */
const LONG: Readonly<Record<string, string>> = {
  'adapter-sql/src/migrations': 'one file a migration, for ever',
  'domain/src/trading': 'each rule has its table test beside it',
};

function overfull(folder: string): string[] {
  const entries = readdirSync(folder, { withFileTypes: true });
  const inside = entries
    .filter((entry) => entry.isDirectory())
    .flatMap(({ name }) => overfull(join(folder, name)));
  const name = relative(PACKAGES, folder);
  const files = entries.filter((entry) => entry.isFile()).length;
  return files > MOST && !(name in LONG) ? [`${name}: ${files} files`, ...inside] : inside;
}

describe('the folders', () => {
  it.each(readdirSync(PACKAGES))('of %s are small enough to survey', (name) => {
    const there = readdirSync(join(PACKAGES, name));
    const found = ['src', 'tests']
      .filter((folder) => there.includes(folder))
      .flatMap((folder) => overfull(join(PACKAGES, name, folder)));
    expect(found).toEqual([]);
  });
});
