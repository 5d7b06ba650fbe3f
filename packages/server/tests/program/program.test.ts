import { existsSync, readFileSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { once } from 'node:events';
import { connect } from 'node:net';
import { constants } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from '@jest/globals';
import {
  CHILD_OPERATOR,
  type ChildServer,
  freshFolders,
  run,
  serveIn,
  signUp,
} from '../helpers/child-server.js';
import { runProgram } from '../../src/testing/index.js';
import { call } from '../helpers/call.js';
import { ask } from '../helpers/composed-server.js';
import { faultsOf, nothingPromised, seeded, tradeUntilGone } from '../helpers/load.js';
import { StreamClient } from '../helpers/stream-client.js';

const freshFolder = freshFolders();

describe('the running program', () => {
  let server: ChildServer | undefined;
  afterEach(() => void server?.process.kill('SIGKILL'));

  it('drains at SIGTERM: answered effects are stored, streams get a close, the exit code is 0', async () => {
    const folder = freshFolder();
    server = await serveIn(folder);
    const { url, process: running, ended } = server;
    const token = await signUp((name, fields, by) => ask(url, name, fields, by));
    const strategyIds = [
      (await ask(url, 'newStrategy', { type: 'stock', name: 'One' }, token)).strategy_id,
    ];
    const quotes = ['AAPL:NASDAQ', 'MSFT:NASDAQ', 'NVDA:NASDAQ'].map((stock_id) => ({
      stock_id,
      bid: 100,
      ask: 100.01,
      last: 100,
    }));
    await ask(url, 'newQuotes', { quotes }, CHILD_OPERATOR);
    const stream = await StreamClient.open(url, token);
    await stream.subscribe(`wsOrders:${strategyIds[0]}`);
    const promised = nothingPromised();
    let left = 100;
    const begun = { at: 0 };
    const answered = (): void => {
      left -= 1;
      if (left !== 0) return;
      begun.at = performance.now();
      running.kill('SIGTERM');
      running.kill('SIGTERM');
    };
    await Promise.all(
      [1, 2, 3, 4].map((seed) =>
        tradeUntilGone({ url, token, strategyIds, random: seeded(seed), promised, answered }),
      ),
    );
    expect(await ended).toMatchObject({ code: 0, signal: null });
    expect(performance.now() - begun.at).toBeLessThan(9000);
    expect(await stream.closed).toBe(1001);
    expect(existsSync(join(folder, 'data/slipstream.db-owner'))).toBe(false);

    server = await serveIn(folder);
    expect(await faultsOf(server.url, token, strategyIds[0] ?? '', promised)).toEqual([]);
  });

  it('ends at once at a second signal while it drains', async () => {
    server = await serveIn(freshFolder());
    const { url, process: running, ended } = server;
    const token = await signUp((name, fields, by) => ask(url, name, fields, by));
    const stream = await StreamClient.open(url, token);
    const { hostname, port } = new URL(url);
    const unfinished = connect(Number(port), hostname).on('error', () => undefined);
    unfinished.write('POST /newSession HTTP/1.1\r\nHost: localhost\r\nExpect: 100-continue\r\n');
    unfinished.write('Content-Type: application/json\r\nContent-Length: 9\r\n\r\n');
    await once(unfinished, 'data');
    running.kill('SIGTERM');
    expect(await stream.closed).toBe(1001);
    const impatient = setInterval(() => running.kill('SIGTERM'), 100);
    const end = await ended.finally(() => clearInterval(impatient));
    expect(end).toMatchObject({ code: 128 + constants.signals.SIGTERM, signal: null });
  });

  it.each([
    ['an error that nobody catches', "throw new Error('boom')"],
    ['a promise that nobody looks at', "void Promise.reject(new Error('boom'))"],
  ])('ends with exit code 1 at %s, and says so', async (_, fault) => {
    const module = encodeURIComponent(`process.on('SIGUSR2', () => { ${fault}; });`);
    // The second line of defence that docs/security.md speaks of; nothing here needs it or minds it.
    const options = `--disable-proto=delete --import=data:text/javascript,${module}`;
    server = await serveIn(freshFolder(), { NODE_OPTIONS: options });
    expect((await call(server.url, 'GET', '/readyz')).status).toBe(200);
    server.process.kill('SIGUSR2');
    const { code, out } = await server.ended;
    expect([code, out]).toEqual([1, expect.stringMatching(/"level":"fatal".*boom/)]);
  });

  it('refuses a database that another process owns, and names the process', async () => {
    const folder = freshFolder();
    server = await serveIn(folder);
    const second = await run(folder, ['serve'], { PORT: '0' });
    expect(second.code).toBe(1);
    expect(second.complaints).toContain(`process ${server.process.pid}`);
    expect(second.complaints).not.toMatch(/\n\s+at /);
    const { code, complaints } = await run(folder, [
      'token',
      '--email',
      'a@example.com',
      '--scope',
      '*',
      '--create',
      '--init',
    ]);
    expect({ code, complaints }).toEqual({
      code: 1,
      complaints: expect.stringContaining(`process ${server.process.pid}`),
    });
    expect((await call(server.url, 'GET', '/readyz')).status).toBe(200);

    // After a crash the next one takes over.
    server.process.kill('SIGKILL');
    await server.ended;
    server = await serveIn(folder);
    expect((await call(server.url, 'GET', '/readyz')).status).toBe(200);
  });

  it('refuses a used port, in a sentence', async () => {
    const folder = freshFolder();
    server = await serveIn(folder);
    const { port } = new URL(server.url);
    const second = await run(freshFolder(), ['serve'], { PORT: port });
    expect(second).toMatchObject({
      code: 1,
      complaints: expect.stringMatching(
        `^The port ${port} is in use. Stop what uses it, or choose another one: PORT=(?!${port}\n)\\d+\n$`,
      ),
    });
  });

  it('keeps its secrets in files that only their owner reads', async () => {
    const folder = freshFolder();
    server = await serveIn(folder);
    const data = join(folder, 'data');
    for (const file of readdirSync(data)) {
      expect({ file, mode: statSync(join(data, file)).mode & 0o077 }).toEqual({ file, mode: 0 });
    }
    expect(readFileSync(join(data, 'secret.key'), 'utf8').trim()).toMatch(/^[0-9a-f]{64}$/);
  });
});

describe('the demo', () => {
  /** What it prints once it runs. */
  async function guideOf(folder: string, ...options: string[]): Promise<string> {
    const settings = { DATABASE_URL: 'memory:', PORT: '0' };
    const demo = runProgram(folder, ['demo', ...options], settings);
    const isRunning = new Promise<string>((resolve) =>
      demo.process.stdout?.on('data', (text) => {
        if (String(text).includes('Slipstream is running')) resolve(String(text));
      }),
    );
    const said = await Promise.race([isRunning, demo.ended]);
    demo.process.kill('SIGKILL');
    await demo.ended;
    expect(said).toContain('Slipstream is running');
    return String(said);
  }

  it('runs in memory too, which is ready before the first quote of each stock', async () => {
    // Who signs up is told to open a link in a mail.
    expect(await guideOf(freshFolder())).toMatch(/^ {2}Mails +are files in \S+outbox/m);
  });

  it('names no folder of mails that a host sends itself', async () => {
    const folder = freshFolder();
    const mine = 'export default { mailer: { send: async () => undefined } };';
    writeFileSync(join(folder, 'mine.mjs'), mine);
    expect(await guideOf(folder, '--with', './mine.mjs')).not.toContain('outbox');
  });
});
