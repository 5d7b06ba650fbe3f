import { afterAll } from '@jest/globals';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { inMemoryDatabase } from '../../src/testing/index.js';

/** Makes paths of files that are not there yet; what comes to be there is removed after the tests. */
export function temporaryPaths(): () => string {
  const folder = mkdtempSync(join(tmpdir(), 'slipstream-sql-'));
  let count = 0;
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  return () => {
    count += 1;
    return join(folder, String(count), 'slipstream.db');
  };
}

/** Databases as their migrations leave them, copied for each case: to migrate takes longer than most of them. */
export function migratedPaths(): { readonly image: Buffer; readonly newPath: () => string } {
  const database = inMemoryDatabase();
  const image = database.image();
  database.close();
  const paths = temporaryPaths();
  return {
    image,
    newPath: () => {
      const path = paths();
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, image);
      return path;
    },
  };
}
