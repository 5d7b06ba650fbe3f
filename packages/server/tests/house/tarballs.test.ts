import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { checkPackage, createPackageFromTarballData } from '@arethetypeswrong/core';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { publint } from 'publint';
import { newFolder } from '../helpers/composed-server.js';
import { PACKAGES, ROOT } from '../helpers/repository.js';

const manifestOf = (file: string) =>
  JSON.parse(readFileSync(file, 'utf8')) as {
    readonly private?: boolean;
    readonly version?: string;
    readonly packageManager?: string;
    readonly exports?: unknown;
    readonly imports?: unknown;
  };
const published = readdirSync(PACKAGES).filter(
  (name) => manifestOf(join(PACKAGES, name, 'package.json')).private !== true,
);
/** One package for each way of exporting: whether types are found follows from it. That all types compile is another test. */
const ofEachForm = [
  ...new Map(
    published.map((name) => {
      const { exports, imports } = manifestOf(join(PACKAGES, name, 'package.json'));
      return [JSON.stringify([exports, imports]), name];
    }),
  ).values(),
];
const run = promisify(execFile);

/** The npm that runs this test. */
const NPM: readonly string[] = process.env['npm_execpath']?.endsWith('npm-cli.js')
  ? [process.execPath, process.env['npm_execpath']]
  : ['npm'];

/** The package manager of this repository, fetched by npm as the setup does. */
function pnpm(cwd: string, ...args: string[]) {
  const { packageManager = '' } = manifestOf(join(ROOT, 'package.json'));
  const words = [...NPM, 'exec', '--yes', '--prefer-offline', `--package=${packageManager}`];
  const [command = '', ...rest] = [...words, '--', 'pnpm', ...args];
  return run(command, rest, { cwd });
}

/** The command line of the installed server, as its user would call it without a network. */
const slipstream = (...args: string[]): [command: string, args: string[]] => {
  const [command = '', ...rest] = [...NPM, 'exec', '--offline', 'slipstream', ...args];
  return [command, rest];
};

const folder = newFolder();
const tarballs = join(folder, 'tarballs');
const project = join(folder, 'project');
const tarballOf = (name: string): string => {
  const { version = '' } = manifestOf(join(PACKAGES, name, 'package.json'));
  return join(tarballs, `slipstream-${name}-${version}.tgz`);
};
const write = (file: string, text: string): void => writeFileSync(join(project, file), text);

/** Every package by its name, as somebody's own program would import them. */
const PROGRAM = `
${published.map((name) => `import * as ${name.replaceAll('-', '_')} from '@slipstream/${name}';`).join('\n')}
import { type Decimal, decimal } from '@slipstream/domain';

const sum: Decimal = decimal('0.1').plus(decimal('0.2'));
// @ts-expect-error A decimal is no bag of anything.
const nonsense: unknown = sum.nonsense;
// @ts-expect-error Numbers are no decimals.
export const alsoNonsense: Decimal = 0.3;
// @ts-expect-error Nor are they what a decimal is combined with: it would throw.
export const wouldThrow = (): Decimal => sum.plus(sum).times(2);
console.log(sum.toFixed(), nonsense);
export const packages = [${published.map((name) => name.replaceAll('-', '_')).join(', ')}];
`;

/** The suites under the test runner of Node. */
const SUITES = `
import { afterEach, beforeEach, describe, it } from 'node:test';
import { openMemory } from '@slipstream/adapter-memory';
import { idsContract, unitOfWorkContract, useRunner } from '@slipstream/port-contracts';
import { expect } from 'expect';

useRunner({ describe, it, beforeEach, afterEach, expect });
unitOfWorkContract('mine', { open: async () => openMemory() });
idsContract('wrong', () => ({ next: () => 'the same' }));
`;

/** The server in memory, put together from the tarballs. */
const SERVER = `
import { openServer, readSettings } from '@slipstream/server';
import { createClient } from '@slipstream/client';

const log = { info() {}, warn() {}, error() {} };
const settings = readSettings({ DATABASE_URL: 'memory:', PORT: '0', MARKET: 'push' });
const server = await openServer(settings, log);
const [stock] = await createClient({ url: server.url }).findStocks({ query: 'AAPL' });
console.log(stock.symbol);
await server.close();
`;

/** The same with a broker whose package is not installed. */
const WITHOUT_CCXT = `
import { openServer, readSettings } from '@slipstream/server';

const log = { info() {}, warn() {}, error() {} };
const environment = { DATABASE_URL: 'memory:', PORT: '0', BROKERS: 'kraken', LIVE_TRADING: 'on', MARKET: 'push' };
await openServer(readSettings(environment), log).catch((error) => console.log(error.message));
`;

beforeAll(async () => {
  mkdirSync(project, { recursive: true });
  const only = published.map((name) => `--filter=@slipstream/${name}`);
  await pnpm(ROOT, '-r', ...only, 'pack', '--pack-destination', tarballs);
  const files = Object.fromEntries(
    published.map((name) => [`@slipstream/${name}`, `file:${tarballOf(name)}`]),
  );
  write(
    'package.json',
    JSON.stringify({
      name: 'somebody',
      private: true,
      type: 'module',
      dependencies: { ...files, expect: '30.5.2' },
      pnpm: { overrides: files },
    }),
  );
  await pnpm(project, 'install', '--prefer-offline', '--ignore-scripts', '--ignore-workspace');
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('a packed package', () => {
  it.each(published)('has a manifest without a fault: %s', async (name) => {
    const data = new Uint8Array(readFileSync(tarballOf(name)));
    const { messages } = await publint({ pack: { tarball: data.buffer }, strict: true });
    expect(messages).toEqual([]);
  });

  it.each(ofEachForm)(
    'has types that every ES module finds, as all that export like %s',
    async (name) => {
      const data = new Uint8Array(readFileSync(tarballOf(name)));
      const analysis = await checkPackage(createPackageFromTarballData(data));
      // The packages are ES modules: require() and resolution from before package exports are not served.
      const problems = !analysis.types
        ? ['no types']
        : analysis.problems.filter(
            (problem) =>
              !('resolutionKind' in problem) ||
              !['node10', 'node16-cjs'].includes(problem.resolutionKind),
          );
      expect(problems).toEqual([]);
    },
  );
});

describe('all packages, installed into an empty project', () => {
  it('compile strictly, the types of their dependencies too', async () => {
    write('program.ts', PROGRAM);
    write(
      'tsconfig.json',
      JSON.stringify({
        compilerOptions: {
          module: 'nodenext',
          target: 'es2023',
          lib: ['es2023'],
          types: [],
          strict: true,
          skipLibCheck: false,
          noEmit: true,
        },
        files: ['program.ts'],
      }),
    );
    const tsc = join(ROOT, 'node_modules/typescript-7/bin/tsc');
    const { stdout } = await run(process.execPath, [tsc, '-p', '.'], { cwd: project }).catch(
      (error: unknown) => error as { stdout: string },
    );
    expect(stdout).toBe('');
  });

  it('run as ES modules: a server and its client', async () => {
    write('server.js', SERVER);
    const { stdout } = await run(process.execPath, ['server.js'], { cwd: project });
    expect(stdout).toBe('AAPL\n');
  });

  it('run by require() as well, as docs/reuse.md says', async () => {
    write(
      'required.cjs',
      `const { decimal } = require('@slipstream/domain');
       const { createClient } = require('@slipstream/client');
       console.log(decimal('0.1').plus(decimal('0.2')).toFixed(), typeof createClient);`,
    );
    const { stdout } = await run(process.execPath, ['required.cjs'], { cwd: project });
    expect(stdout).toBe('0.3 function\n');
  });

  it('have the command line as npm exec --offline slipstream, which says its version', async () => {
    const { stdout } = await run(...slipstream('--', '--version'), { cwd: project });
    const { version } = manifestOf(join(PACKAGES, 'server/package.json'));
    expect(stdout).toBe(`${version}\n`);
  });

  it('run the demo as npm exec --offline slipstream demo, until it is ended', async () => {
    const demo = spawn(...slipstream('demo'), {
      cwd: project,
      env: { ...process.env, DATABASE_URL: 'memory:', PORT: '0' },
      stdio: ['ignore', 'pipe', 'inherit'],
      // npm, a shell and the server: all of them get the signal.
      detached: true,
    });
    const ended = once(demo, 'close');
    let shown = '';
    for await (const part of demo.stdout.setEncoding('utf8')) {
      shown += String(part);
      if (shown.includes('Ctrl-C')) process.kill(-(demo.pid ?? NaN), 'SIGTERM');
    }
    await ended;
    expect(shown).toMatch(/npm exec slipstream -- watch/);
    expect(shown).toMatch(/curl -s -X POST http:\S+\/newOrderWebhook/);
  });

  it('have no ccxt among them: a server that names Kraken says how to install it', async () => {
    expect(existsSync(join(project, 'node_modules/ccxt'))).toBe(false);
    write('without-ccxt.js', WITHOUT_CCXT);
    const { stdout } = await run(process.execPath, ['without-ccxt.js'], { cwd: project });
    expect(stdout).toBe(
      'BROKERS names kraken, which needs the package ccxt; it is not installed: npm install ccxt@4.5.84\n',
    );
  });

  it('have the sources that their source maps name', () => {
    const named = published.flatMap((name) => {
      const installed = realpathSync(join(project, 'node_modules/@slipstream', name));
      return readdirSync(installed, { recursive: true, encoding: 'utf8' })
        .filter((file) => file.endsWith('.map') && !file.includes('node_modules'))
        .flatMap((file) => {
          const { sources } = JSON.parse(readFileSync(join(installed, file), 'utf8')) as {
            sources: string[];
          };
          return sources.map((source) => join(installed, dirname(file), source));
        });
    });
    expect(named.length).toBeGreaterThan(100);
    expect(named.filter((source) => !existsSync(source))).toEqual([]);
  });

  it('have suites that another test runner runs, and that fail there', async () => {
    write('suites.test.js', SUITES);
    const { stdout } = await run(process.execPath, ['--test', '--test-reporter=tap'], {
      cwd: project,
    }).catch((error: unknown) => error as { stdout: string });
    expect(stdout).toMatch(/^# pass \d{3}$/m);
    expect(stdout).toMatch(/^not ok \d+ - ids contract: wrong/m);
    expect(stdout).not.toMatch(/^not ok \d+ - unit of work/m);
  });

  it('refuse a second copy of the domain by name, because the first would refuse its decimals', async () => {
    const first = realpathSync(join(project, 'node_modules/@slipstream/domain'));
    cpSync(first, `${first}-copy`, { recursive: true });
    const second = JSON.stringify(pathToFileURL(`${first}-copy/dist/index.js`));
    write('copies.js', `import '@slipstream/application'; import ${second};`);
    const { stderr } = await run(process.execPath, ['copies.js'], { cwd: project }).catch(
      (error: unknown) => error as { stderr: string },
    );
    expect(stderr).toMatch(
      /two copies of @slipstream\/domain .*domain-copy\/dist.*install it once/s,
    );
  });
});
