import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { SETTING_NAMES, readSettings } from '../../src/settings/settings.js';
import { PACKAGES, ROOT } from '../helpers/repository.js';

const read = (file: string): string => readFileSync(join(ROOT, file), 'utf8');
const packages = readdirSync(PACKAGES);
const rows = read('README.md')
  .split('\n')
  .filter((line) => line.startsWith('|'))
  .map((line) => line.split('|')[1] ?? '');

const { engines } = JSON.parse(read('package.json')) as { engines: { node: string } };

describe('the packages', () => {
  it('leave out the Nodes without crc32, which would end at loading with no word of their version', () => {
    expect(engines.node).toBe('^20.19.0 || >=22.2.0');
  });

  it.each(packages)('%s has a description', (name) => {
    expect(existsSync(join(PACKAGES, name, 'README.md'))).toBe(true);
    expect(rows.some((row) => row.includes(`\`${name}\``))).toBe(true);
    const manifest = JSON.parse(read(`packages/${name}/package.json`)) as Record<string, unknown>;
    expect(manifest['description']).toMatch(/\w/);
    expect(manifest['engines']).toEqual(engines);
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

  /** The names of a row beside its defaults, where the table has a default for each name. */
  const defaults = read('README.md')
    .split('\n')
    .filter((line) => /^\| `[A-Z_a-z]+`/.test(line))
    .flatMap((line) => {
      const [, names = '', values = ''] = line.split('|');
      const shown = values.split(names.includes(',') ? ', ' : '|').map((value) => value.trim());
      return names
        .split(',')
        .map((name, at) => [name.trim().slice(1, -1), shown[at] ?? ''] as const);
    })
    .filter(([name, value]) => SETTING_NAMES.includes(name) && /^(none|`[^`]+`)$/.test(value))
    // The feed of stocks has a default of its own; the setting is refused without that feed.
    .filter(([name]) => name !== 'ALPACA_DATA_FEED');

  it('with a default are found', () => {
    expect(defaults.length).toBeGreaterThan(35);
  });

  it.each(defaults)('%s is %s where nothing else is set', (name, value) => {
    const shown = readSettings(value === 'none' ? {} : { [name]: value.slice(1, -1) });
    const set = readSettings({})[name as keyof typeof shown];
    expect(set).toEqual(shown[name as keyof typeof shown]);
    if (value === 'none') expect(set ?? []).toEqual([]);
  });
});
