import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { SETTING_NAMES } from '../../src/settings/settings.js';
import { PACKAGES, ROOT } from '../helpers/repository.js';

const read = (file: string): string => readFileSync(join(ROOT, file), 'utf8');
const packages = readdirSync(PACKAGES);
const rows = read('README.md')
  .split('\n')
  .filter((line) => line.startsWith('|'))
  .map((line) => line.split('|')[1] ?? '');

describe('the packages', () => {
  it.each(packages)('%s has a description', (name) => {
    expect(existsSync(join(PACKAGES, name, 'README.md'))).toBe(true);
    expect(rows.some((row) => row.includes(`\`${name}\``))).toBe(true);
    const manifest = JSON.parse(read(`packages/${name}/package.json`)) as Record<string, unknown>;
    expect(manifest['description']).toMatch(/\w/);
    if (manifest['private'] === true) return;
    expect(manifest).toMatchObject({
      files: expect.arrayContaining(['dist']),
      exports: { '.': { types: './dist/index.d.ts', default: './dist/index.js' } },
    });
  });
});

describe('the settings', () => {
  it.each(SETTING_NAMES)('%s is in the README and in the help', (name) => {
    expect(rows.some((row) => row.includes(`\`${name}\``))).toBe(true);
    expect(read('packages/server/src/cli/command-line.ts')).toMatch(new RegExp(`\\b${name}\\b`));
  });
});
