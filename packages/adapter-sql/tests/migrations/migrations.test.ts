import { createHash } from 'node:crypto';
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { migrations } from '../../src/migrations/index.js';

const folder = join(import.meta.dirname, '../../src/migrations');
const recorded = JSON.parse(
  readFileSync(join(import.meta.dirname, 'migrations.json'), 'utf8'),
) as Record<string, string>;

/** Digests are recorded in `migrations.json`; a new migration adds its line. */
describe('a migration is frozen, because databases have run it', () => {
  it('has the recorded text', () => {
    const digests = Object.fromEntries(
      Object.entries(migrations).map(([name, sql]) => [
        name,
        createHash('sha256').update(sql).digest('hex'),
      ]),
    );
    expect(digests).toEqual(recorded);
  });

  it('is a separate file without imports', () => {
    const files = readdirSync(folder).filter((file) => /^\d{4}-/.test(file));
    expect(files.map((file) => file.replace('.ts', '')).sort()).toEqual(
      Object.keys(migrations).sort(),
    );
    for (const file of files)
      expect(readFileSync(join(folder, file), 'utf8')).not.toMatch(/^import/m);
  });
});
