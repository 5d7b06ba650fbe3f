import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, rmSync, statSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { compileFunction } from 'node:vm';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type * as library from '@slipstream/client';
import WebSocket, { WebSocketServer } from 'ws';
import { type ComposedServer, composedServer, newFolder } from '../helpers/composed-server.js';
import { PACKAGES, ROOT } from '../helpers/repository.js';

const folder = newFolder();
const bundle = join(folder, 'client.js');

interface Frame {
  readonly id: string;
  readonly action: string;
  readonly channels?: readonly string[];
}

/** What a bundler for browsers takes into the page, as paths. */
async function build(): Promise<string[]> {
  const listed = join(folder, 'files.json');
  const words = ['--bundle', '--platform=browser', '--format=iife', '--global-name=client'];
  await promisify(execFile)(process.execPath, [
    join(ROOT, 'node_modules/esbuild/bin/esbuild'),
    join(PACKAGES, 'client/dist/index.js'),
    ...words,
    '--minify',
    `--outfile=${bundle}`,
    `--metafile=${listed}`,
  ]);
  const { inputs } = JSON.parse(readFileSync(listed, 'utf8')) as { inputs: object };
  return Object.keys(inputs).map((file) => file.replaceAll('\\', '/'));
}

/** The client as a page has it: without Node, with the WebSocket of browsers, and with what else is given. */
function inPage(more: Readonly<Record<string, unknown>> = {}): typeof library {
  const { fetch, Headers, AbortController, setTimeout, clearTimeout } = globalThis;
  const page = { fetch, WebSocket, Headers, AbortController, setTimeout, clearTimeout, ...more };
  const given = { process: undefined, require: undefined, ...page };
  const run = compileFunction(
    `${readFileSync(bundle, 'utf8')}; return client;`,
    Object.keys(given),
  ) as (...given: unknown[]) => typeof library;
  return run(...Object.values(given));
}

describe('the client in a browser', () => {
  let files: string[];
  let server: ComposedServer;
  beforeAll(async () => {
    files = await build();
    server = await composedServer();
  });
  afterAll(async () => {
    await server.close();
    rmSync(folder, { recursive: true, force: true });
  });

  it('consists of its own files, the table of routes and what it refers to, without ws, zod and Node', () => {
    const foreign = files.filter((file) => !/\/?packages\/client\/dist\/[\w-]+\.js$/.test(file));
    expect(foreign.map((file) => file.replace(/^.*packages\//, '')).sort()).toEqual([
      'wire/dist/requests/envelope.js',
      'wire/dist/requests/try-again.js',
      'wire/dist/routes.js',
      'wire/dist/told-events.js',
    ]);
    expect(files.some((file) => file.endsWith('live-connection-browser.js'))).toBe(true);
    expect(files.some((file) => file.endsWith('live-connection.js'))).toBe(false);
    expect(statSync(bundle).size).toBeLessThan(20_000);
  });

  it('reads, and streams with its token in the first frame', async () => {
    const token = await server.user('eve');
    const client = inPage().createClient({ url: server.url, token });
    const { strategy_id } = await client.newStrategy({ type: 'stock', name: 'Seen in a page' });
    const states: string[] = [];
    const streams = client.streams({ onConnection: (state) => states.push(state) });
    const event = await new Promise((resolve) =>
      streams.subscribe(`wsOrders:${strategy_id}`, resolve),
    );
    expect(event).toMatchObject({ event: 'snapshot', data: [] });
    expect(states).toEqual(['open']);
    streams.close();
    expect(await streams.closed).toBe('closed');
  });

  it('streams a public strategy to somebody without a token', async () => {
    const owner = await server.user('owner');
    const { strategy_id } = await server.ask(
      'newStrategy',
      { type: 'stock', name: 'For all', private: false },
      owner,
    );
    const streams = inPage().createClient({ url: server.url }).streams();
    const event = await new Promise((resolve) =>
      streams.subscribe(`wsStrategyValue:${strategy_id}`, resolve),
    );
    expect(event).toMatchObject({ event: 'snapshot', data: { strategy_value: '1' } });
    streams.close();
  });

  it('ends for good when its token is wrong, or no longer valid', async () => {
    const { createClient } = inPage();
    const wrong = createClient({ url: server.url, token: 'nobody' }).streams();
    wrong.subscribe('wsNotifications:any', () => undefined);
    expect(await wrong.closed).toBe('Authentication failed.');

    const token = await server.user('mallory');
    const client = createClient({ url: server.url, token });
    const { token_id, user_id } = await client.verifyToken();
    const streams = client.streams();
    await new Promise((resolve) => streams.subscribe(`wsNotifications:${user_id}`, resolve));
    await client.deleteToken({ token_id });
    expect(await streams.closed).toBe('Authentication failed.');
  });

  it('signs in again when that failed for now', async () => {
    const service = new WebSocketServer({ port: 0, host: '127.0.0.1' });
    await once(service, 'listening');
    let signedIn = 0;
    service.on('connection', (socket) =>
      socket.on('message', (data: Buffer) => {
        const { id, action, channels = [] } = JSON.parse(data.toString('utf8')) as Frame;
        if (action === 'authenticate') {
          const success = (signedIn += 1) > 1;
          const response = success ? {} : 'Request failed. nothing was done, try again in 1 s.';
          socket.send(JSON.stringify({ id, success, response }));
        } else socket.send(JSON.stringify({ channel: channels[0], event: 'snapshot', data: [] }));
      }),
    );
    const { port } = service.address() as AddressInfo;
    const streams = inPage()
      .createClient({ url: `http://127.0.0.1:${port}`, token: 'x' })
      .streams();
    const event = await new Promise((resolve) => streams.subscribe('wsOrders:s', resolve));
    expect(event).toMatchObject({ event: 'snapshot' });
    expect(signedIn).toBe(2);
    streams.close();
    for (const socket of service.clients) socket.terminate();
    service.close();
  });

  it('asks a silent connection at once when its reader comes back, and opens another without an answer', async () => {
    const service = new WebSocketServer({ port: 0, host: '127.0.0.1' });
    await once(service, 'listening');
    let isAway = false;
    const asked: string[] = [];
    service.on('connection', (socket) =>
      socket.on('message', (data: Buffer) => {
        const { id, action, channels = [] } = JSON.parse(data.toString('utf8')) as Frame;
        asked.push(action);
        if (isAway) return;
        if (action === 'ping') socket.send(JSON.stringify({ id, success: true }));
        const [channel = 'wsStrategyValue:s'] = channels;
        socket.send(JSON.stringify({ channel, event: 'snapshot', version: 1, data: [] }));
      }),
    );
    const { port } = service.address() as AddressInfo;
    const page = Object.assign(new EventTarget(), { hidden: false });
    const waits: { readonly run: () => void; readonly milliseconds: number }[] = [];
    const setTimeout = (run: () => void, milliseconds: number) => waits.push({ run, milliseconds });
    /** What is waited for no longer than three seconds comes now. */
    const soon = (): void => {
      for (const { run, milliseconds } of waits) if (milliseconds <= 3_000) run();
    };
    const until = async (isThere: () => boolean): Promise<void> => {
      while (!isThere()) await new Promise((resolve) => setImmediate(resolve));
    };
    const states: string[] = [];
    let snapshots = 0;
    const streams = inPage({ document: page, setTimeout, clearTimeout: () => undefined })
      .createClient({ url: `http://127.0.0.1:${port}` })
      .streams({ onConnection: (state) => states.push(state) });
    streams.subscribe('wsStrategyValue:s', () => (snapshots += 1));
    await until(() => snapshots === 1);
    const back = async (): Promise<void> => {
      const before = asked.length;
      page.dispatchEvent(new Event('visibilitychange'));
      await until(() => asked.length > before);
    };
    page.hidden = true;
    page.dispatchEvent(new Event('visibilitychange'));
    page.hidden = false;
    await back();
    await until(() => snapshots === 2);
    soon();
    isAway = true;
    await back();
    expect(asked).toEqual(['subscribe', 'ping', 'ping']);
    expect(states).toEqual(['open']);
    isAway = false;
    soon();
    await until(() => states.includes('lost'));
    soon();
    await until(() => snapshots === 3);
    expect(states).toEqual(['open', 'lost', 'open']);
    streams.close();
    for (const socket of service.clients) socket.terminate();
    service.close();
  });

  it('goes on with another token on the same connection', async () => {
    const { createClient } = inPage();
    const client = createClient({ url: server.url, token: await server.user('zoe') });
    const { token_id, user_id } = await client.verifyToken();
    const states: string[] = [];
    const streams = client.streams({ onConnection: (state) => states.push(state) });
    await new Promise((resolve) => streams.subscribe(`wsNotifications:${user_id}`, resolve));
    const renewed = await client.newToken({ name: 'next', scope: ['*'] });
    streams.authenticate(renewed.token);
    // Its subscription comes after the renewal, which must not be refused for that.
    const { strategy_id } = await client.newStrategy({ type: 'stock', name: 'Goes on' });
    await new Promise((resolve) => streams.subscribe(`wsOrders:${strategy_id}`, resolve));
    expect(states).toEqual(['open']);
    streams.authenticate('nobody');
    expect(await streams.closed).toBe('Authentication failed.');
    expect(token_id).not.toBe(renewed.token_id);
  });
});
