import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { PACKAGES, ROOT } from '../helpers/repository.js';

const read = (file: string): string => readFileSync(join(ROOT, file), 'utf8');
const workspace = read('pnpm-workspace.yaml');

/** The lines of a block of pnpm-workspace.yaml, as name and value. */
const block = (name: string): [string, string][] => {
  const [, lines = ''] = new RegExp(`^${name}:\\n((?:  .*\\n)+)`, 'm').exec(workspace) ?? [];
  return [...lines.matchAll(/^ {2}'?([^':]+)'?: '?([^'\n]+)'?$/gm)].map((line) => [
    line[1] ?? '',
    line[2] ?? '',
  ]);
};

describe('third-party packages', () => {
  it('run no install script, except for SQLite where it is compiled', () => {
    const allowed = block('allowBuilds').filter(([, value]) => value === 'true');
    expect(allowed).toEqual([['better-sqlite3@12.11.1', 'true']]);
    // Its install script would otherwise take a binary that nothing checks.
    expect(read('.pnpmfile.cjs')).toContain("raw['build-from-source'] = 'better-sqlite3'");
    expect(workspace).not.toMatch(/dangerouslyAllowAllBuilds|onlyBuiltDependencies/);
  });

  it('name their platforms in the lockfile as a list, as every release of pnpm reads them', () => {
    // pnpm 10 writes one that a package names alone as a text, and the pnpm that writes the SBOM ended with a broken lockfile.
    const platforms = read('pnpm-lock.yaml').match(/^ {4}(cpu|os|libc): .*$/gm) ?? [];
    expect(platforms.length).toBeGreaterThan(10);
    expect(platforms.filter((line) => !line.includes(': ['))).toEqual([]);
  });

  it('run by this Node, and not by the later one that tests start', () => {
    const bins = ['node_modules/.bin/node', 'node_modules/.pnpm/node_modules/.bin/node'];
    expect(bins.filter((file) => existsSync(join(ROOT, file)))).toEqual([]);
  });

  it('have one exact version each, written in one place', () => {
    const versions = block('catalog');
    expect(versions.length).toBeGreaterThan(30);
    expect(
      versions.filter(([, version]) => !/^(npm:[^@]+@)?\d+\.\d+\.\d+(-beta\.\d+)?$/.test(version)),
    ).toEqual([]);
    const manifests = [
      'package.json',
      ...readdirSync(PACKAGES).map((name) => `packages/${name}/package.json`),
    ];
    const elsewhere = manifests.flatMap((file) => {
      const { dependencies, devDependencies, optionalDependencies } = JSON.parse(
        read(file),
      ) as Record<string, Record<string, string> | undefined>;
      const all = Object.entries({ ...dependencies, ...devDependencies, ...optionalDependencies });
      return all
        .filter(([, from]) => !/^(catalog:|workspace:[\^*])$/.test(from))
        .map((entry) => [file, ...entry]);
    });
    expect(elsewhere).toEqual([]);
  });

  it('are those of the lockfile, with their checksums, from the registry', () => {
    expect(read('scripts/run.mjs')).toContain("'install', '--frozen-lockfile'");
    const resolutions = read('pnpm-lock.yaml').match(/^ {4}resolution: .*$/gm) ?? [];
    expect(resolutions.length).toBeGreaterThan(300);
    expect(
      resolutions.filter((line) => !/^ {4}resolution: \{integrity: sha512-[\w+/=]+\}$/.test(line)),
    ).toEqual([]);
  });
});

/** What speaks to the outside by itself, and to whom. */
const CALLERS: Readonly<Record<string, string>> = {
  'adapter-broker-alpaca': 'Alpaca',
  'adapter-broker-ccxt': 'Kraken and Coinbase',
  'adapter-market-live': 'Coinbase, Kraken and Alpaca',
  'adapter-mail': 'the mail server of SMTP_URL',
  'adapter-payment-stripe': 'Stripe',
  'adapter-timestamp': 'the authority of TIMESTAMP_URL',
  'adapter-webhook': 'the endpoints of users, Telegram and Discord',
  client: 'the server that it is given',
  bench: 'itself',
  simulation: 'itself',
  'stand-ins': 'the server of a test, as the proxy in front of it',
};

const sourcesOf = (name: string): string[] =>
  readdirSync(join(PACKAGES, name, 'src'), { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.tsx?$/.test(file) && !file.endsWith('.test.ts'))
    .map((file) => join('packages', name, 'src', file));

/**
 * What runs in the reader's browser, the command line, which calls the server that it is given and, as the doctor, what the
 * settings name, the pace of the answers that Alpaca's adapter asks for, and what one node forwards to another, which the
 * database names.
 */
const ELSEWHERE = [
  'packages/server/src/composition/brokers.ts',
  'packages/adapter-http/src/pages/docs-assets.ts',
  'packages/server/src/cli/remote.ts',
  'packages/adapter-http/src/nodes/forward-page.ts',
  'packages/server/src/doctor/outside.ts',
];

describe('the server', () => {
  const names = readdirSync(PACKAGES).filter(
    (name) => !(name in CALLERS) && existsSync(join(PACKAGES, name, 'src')),
  );

  it.each(names)('makes no requests on behalf of its users: %s', (name) => {
    const calling = sourcesOf(name).filter((file) => {
      if (ELSEWHERE.includes(file)) return false;
      const imports = [
        ...read(file).matchAll(/^import (?!type)(.*) from 'node:(https?|net|tls|dgram|dns)'/gm),
      ].map(([, imported = '']) => imported);
      return (
        /\bfetch\(/.test(read(file)) ||
        imports.some((imported) =>
          /\b(request|get|connect|createConnection|lookup|resolve\w*)\b/.test(imported),
        )
      );
    });
    expect(calling).toEqual([]);
  });

  it('writes no SQL by joining texts of a caller', () => {
    // A literal may only be a constant: partial indexes need one.
    const raw = sourcesOf('adapter-sql').filter((file) =>
      /\bsql\.raw\b|\bsql\.lit\b(?!\((?:'\w+'|\d)\))|\bLIKE\b/.test(read(file)),
    );
    expect(raw).toEqual([]);
  });
});
