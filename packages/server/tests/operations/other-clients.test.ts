import { execFile, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createClient } from '@hey-api/openapi-ts';
import { fixedClock, testSecrets } from '@slipstream/adapter-memory/testing';
import {
  type Operation,
  type OperationName,
  curlCommand,
  curlPage,
  operations,
  pythonModule,
} from '@slipstream/wire';
import { AT } from '../../../wire/src/example-ids.js';
import {
  type ComposedServer,
  OPERATOR_TOKEN,
  composedServer,
  newFolder,
} from '../helpers/composed-server.js';
import { PACKAGES, ROOT } from '../helpers/repository.js';
import { vault } from '../helpers/vault-broker.js';
import { prepared, tokenFor } from './table/prepared.js';
import { STOCK, keptMails, newScene } from './table/scene.js';

const run = promisify(execFile);
const read = (file: string): string => readFileSync(join(ROOT, file), 'utf8');
const names = Object.keys(operations) as OperationName[];

/** Whether the program is on this machine. What is not run is told as skipped, by this name. */
const isHere = (program: string): boolean => spawnSync(program, ['--version']).status === 0;
const withProgram = (program: string) =>
  isHere(program) ? describe : describe.skip.bind(describe);

let server: ComposedServer;
beforeAll(async () => {
  server = await composedServer({
    clock: fixedClock(Date.parse(AT)),
    adapters: {
      mailer: keptMails,
      oneTimePasswords: testSecrets().oneTimePasswords,
      addBrokers: [vault([])],
    },
  });
  await server.quotes({ [STOCK]: [199.98, 200.02] });
});
afterAll(() => server.close());

describe('what is made from the table of operations', () => {
  it.each([
    ['docs/curl.md', curlPage],
    ['examples/python/slipstream.py', pythonModule],
  ])('%s is what node scripts/clients.mjs writes', (file, make) => {
    expect(read(file)).toBe(make());
  });
});

withProgram('curl')('the commands of docs/curl.md (skipped without curl)', () => {
  it.each(names)('call %s', async (name) => {
    const scene = await newScene(server);
    const row: Operation = operations[name];
    const command = curlCommand(row, await prepared(name, scene));
    const env = {
      PATH: process.env['PATH'] ?? '',
      SLIPSTREAM_URL: server.url,
      SLIPSTREAM_TOKEN: (await tokenFor(name, scene)) ?? '',
      OPERATOR_TOKEN,
    };
    const { stdout } = await run('sh', ['-c', command], { env });
    expect(stdout).toMatch(row.file === undefined ? /^\{"success":true,/ : /^<!doctype html>/i);
  });
});

withProgram('python3')('the client for Python (skipped without python3)', () => {
  it('leads from a strategy to a closed position', async () => {
    const token = await server.user('python');
    const { stdout, stderr } = await run('python3', ['-B', 'example.py'], {
      cwd: join(ROOT, 'examples/python'),
      env: {
        PATH: process.env['PATH'] ?? '',
        SLIPSTREAM_URL: server.url,
        SLIPSTREAM_TOKEN: token,
      },
    });
    expect(stderr).toBe('');
    expect(stdout.trim().split('\n')).toEqual([
      expect.stringMatching(/^would buy 0\.00\d+$/),
      '1 trade',
      expect.stringMatching(/^holds 0\.00\d+$/),
      '400 insufficient_buying_power',
      'closed 2',
    ]);
  });
});

withProgram('python3')('a token in Python (skipped without python3)', () => {
  const PROGRAM = `
import os
from slipstream import RequestFailed, Slipstream

token = os.environ["TOKEN"]
print(Slipstream(os.environ["URL"], token + "\\n").verifyToken()["name"])
for broken in [token[:9] + "\\n" + token[9:], token + "\\u200b"]:
    try:
        Slipstream(os.environ["URL"], broken).verifyToken()
    except RequestFailed as error:
        print(error)
`;

  it('may come from a file, and is not shown when no header can carry it', async () => {
    const token = await server.user('file');
    const { stdout } = await run('python3', ['-B', '-c', PROGRAM], {
      cwd: join(ROOT, 'examples/python'),
      env: { PATH: process.env['PATH'] ?? '', URL: server.url, TOKEN: token },
    });
    const failed = 'Authentication failed.';
    expect(stdout.trim().split('\n').slice(1)).toEqual([failed, failed]);
  });
});

withProgram('python3')('a redirect in Python (skipped without python3)', () => {
  const PROGRAM = `
import os
from slipstream import RequestFailed, Slipstream

try:
    Slipstream(os.environ["URL"], "slipa_secret").getBots()
except RequestFailed as error:
    print(error.status)
`;

  it('is not followed: the token stays with the server that was meant', async () => {
    const asked: string[] = [];
    const other = createServer(({ url = '' }, answer) => {
      asked.push(url);
      answer.writeHead(302, { location: '/elsewhere' }).end();
    }).listen(0, '127.0.0.1');
    await once(other, 'listening');
    const { port } = other.address() as AddressInfo;
    const { stdout } = await run('python3', ['-B', '-c', PROGRAM], {
      cwd: join(ROOT, 'examples/python'),
      env: { PATH: process.env['PATH'] ?? '', URL: `http://127.0.0.1:${port}` },
    });
    other.close();
    expect([stdout, asked]).toEqual(['302\n', ['/getBots']]);
  });
});

/** A program over the client that hey-api makes. */
const PROGRAM = `
import { client } from './api/client.gen.js';
import { getStrategies, newOrder, newStrategy } from './api/sdk.gen.js';

const [, , baseUrl = '', token = ''] = process.argv;
client.setConfig({ baseUrl, auth: token });
const made = await newStrategy({ body: { type: 'stock', name: 'Generated' } });
const strategy_id: string = made.data?.response.strategy_id ?? '';
const found = await getStrategies({ query: { 'strategy_id[]': [strategy_id] } });
const name: string | undefined = found.data?.response[0]?.name;
const refused = await newOrder({
  body: { strategy_id, stock_id: 'AAPL:NASDAQ', action: 'buy', type: 'market', amount: '-1' },
});
// @ts-expect-error A strategy has no such field.
const none: unknown = found.data?.response[0]?.no_such_field;
console.log(JSON.stringify({ name, none, refused: refused.error }));
`;

describe('the client that hey-api makes from openapi.json', () => {
  it('compiles strictly and calls the server', async () => {
    const folder = newFolder();
    try {
      const write = (file: string, text: string) => writeFileSync(join(folder, file), text);
      write('openapi.json', (await server.call('GET', '/openapi.json')).text);
      await createClient({
        input: join(folder, 'openapi.json'),
        output: { path: join(folder, 'api'), module: { extension: '.js' } },
        logs: { level: 'silent' },
      });
      write('program.ts', PROGRAM);
      write('package.json', '{ "type": "module" }');
      const compilerOptions = {
        ...{ module: 'nodenext', target: 'es2023', lib: ['es2023', 'dom', 'dom.iterable'] },
        ...{ types: ['node'], strict: true, outDir: 'built' },
      };
      write('tsconfig.json', JSON.stringify({ compilerOptions, files: ['program.ts'] }));
      symlinkSync(join(PACKAGES, 'server/node_modules'), join(folder, 'node_modules'));
      const typeRoots = join(ROOT, 'node_modules/@types');
      const tsc = join(ROOT, 'node_modules/typescript-7/bin/tsc');
      const { stdout: complaints } = await run(
        process.execPath,
        [tsc, '-p', folder, '--typeRoots', typeRoots],
        { cwd: folder },
      ).catch((error: unknown) => error as { stdout: string });
      expect(complaints).toBe('');
      const { stdout } = await run(
        process.execPath,
        ['built/program.js', server.url, await server.user('hey')],
        { cwd: folder },
      );
      expect(JSON.parse(stdout)).toMatchObject({
        name: 'Generated',
        refused: { success: false, response: expect.stringMatching(/amount/) },
      });
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });
});
