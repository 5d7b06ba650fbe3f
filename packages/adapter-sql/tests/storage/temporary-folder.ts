import { afterAll } from '@jest/globals';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

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
