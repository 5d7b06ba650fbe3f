import { readFileSync, readdirSync } from 'node:fs';
import { once } from 'node:events';
import { Agent, request } from 'node:http';
import type { Readable } from 'node:stream';
import { json } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { SettingError, readSettings } from '../../src/index.js';
import {
  CHILD_OPERATOR,
  type ChildServer,
  freshFolders,
  run,
  serveIn,
  signUp,
} from '../helpers/child-server.js';
import { ask, attempt } from '../helpers/composed-server.js';
import { StreamClient } from '../helpers/stream-client.js';

const AAPL = 'AAPL:NASDAQ';
const SECRET_KEY = 'the master key of the tests and their servers';
const folders = freshFolders();

let folder: string;
let server: ChildServer;
let token: string;
let strategy_id: string;

const settings = { FRONTS: '2', SECRET_KEY, METRICS_TOKEN: 'the token of the metrics' };
const order = (by = server) =>
  ask(by.url, 'newOrder', { strategy_id, stock_id: AAPL, action: 'buy', amount: '0.0001' }, token);

/** The processes that the server started. */
function fronts({ process: { pid } }: ChildServer): number[] {
  const children = readdirSync(`/proc/${pid}/task`).flatMap((task) =>
    readFileSync(`/proc/${pid}/task/${task}/children`, 'utf8').split(' '),
  );
  return children.filter((child) => child !== '').map(Number);
}

/** Whether the process runs; one whose parent has not looked yet does not. */
function runs(pid: number): boolean {
  try {
    return !/^State:\s*Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'));
  } catch {
    return false;
  }
}

beforeAll(async () => {
  folder = folders();
  server = await serveIn(folder, settings);
  token = await signUp((name, fields, by) =>
    ask(server.url, name, fields, name === 'newUser' ? CHILD_OPERATOR : by),
  );
  ({ strategy_id } = await ask(server.url, 'newStrategy', { type: 'stock', name: 'One' }, token));
  const quotes = [{ stock_id: AAPL, bid: 99.9, ask: 100.1, last: 100 }];
  await ask(server.url, 'newQuotes', { quotes }, CHILD_OPERATOR);
});
afterAll(() => void server.process.kill('SIGKILL'));

describe('a server with fronts', () => {
  it('answers operations, pages and the questions whether it is well', async () => {
    const { order_id } = await order();
    const trades = await ask(server.url, 'getTrades', { strategy_id }, token);
    expect(trades[0]).toMatchObject({ order_id });
    const refused = await attempt(server.url, 'newOrder', { strategy_id }, token);
    expect([refused.status, refused.headers.get('x-error-code')]).toEqual([400, 'invalid_field']);
    for (const path of ['/docs', '/readyz', '/healthz', '/openapi.json'])
      expect([path, (await fetch(`${server.url}${path}`)).status]).toEqual([path, 200]);
    expect((await fetch(`${server.url}/nowhere`)).status).toBe(404);
    const metrics = await fetch(`${server.url}/metrics`, {
      headers: { authorization: `Bearer ${settings.METRICS_TOKEN}` },
    });
    expect(await metrics.text()).toContain('slipstream_');
  });

  it('sends every client of a stream what was decided, and in order', async () => {
    const clients = await Promise.all(
      Array.from({ length: 12 }, () => StreamClient.open(server.url, token)),
    );
    for (const client of clients) await client.subscribe(`wsOrders:${strategy_id}`);
    const made = [await order(), await order(), await order()].map(({ order_id }) => order_id);
    for (const client of clients) {
      const seen: unknown[] = [];
      while (seen.length < made.length) {
        const { event, data } = await client.next(() => true);
        if (event === 'filled') seen.push((data as { readonly order_id: string }).order_id);
      }
      expect(seen).toEqual(made);
      client.stop();
    }
  });

  it('takes an alert on the same connection for a second one, because the answer to the first has arrived', async () => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    const body = { strategy_id, stock_id: AAPL, action: 'buy', pyramiding: 10, leverage: 0.01 };
    const alert = async (): Promise<unknown> => {
      const sent = request(`${server.url}/newOrderWebhook`, { method: 'POST', agent });
      sent.end(JSON.stringify({ ...body, api_token: token }));
      const [answer] = (await once(sent, 'response')) as [Readable];
      return ((await json(answer)) as { readonly response: { order_id: string } }).response
        .order_id;
    };
    const first = await alert();
    expect(await alert()).not.toBe(first);
    agent.destroy();
  });

  it('lets processes without any secret take the connections', () => {
    const pids = fronts(server);
    expect(pids).toHaveLength(2);
    for (const pid of pids) {
      const environment = readFileSync(`/proc/${pid}/environ`, 'utf8');
      for (const secret of [SECRET_KEY, CHILD_OPERATOR, settings.METRICS_TOKEN])
        expect(environment).not.toContain(secret);
    }
  });

  it('goes on when one of them is killed, and replaces it', async () => {
    const before = fronts(server);
    process.kill(before[0] ?? 0, 'SIGKILL');
    while (fronts(server).filter((pid) => !before.includes(pid)).length === 0) {
      // A request that the killed one had accepted gets no answer; later ones do. It buys nothing: a fast machine asks hundreds of times.
      await ask(server.url, 'getPositions', { strategy_id }, token).catch(() => undefined);
    }
    await order();
    expect(fronts(server)).toHaveLength(2);
  });

  it('answers the requests under way when it is stopped, closes streams with a reason, and ends with its fronts', async () => {
    const before = fronts(server);
    const stream = await StreamClient.open(server.url, token);
    await stream.subscribe(`wsOrders:${strategy_id}`);
    const agent = new Agent({ keepAlive: true });
    const slow = request(`${server.url}/newPost`, {
      ...{ method: 'POST', agent },
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    });
    slow.write('{"text":');
    // Another request has come back from the fronts: that one is there too.
    await order();
    server.process.kill('SIGTERM');
    expect(await stream.closed).toBe(1001);
    const answered = once(slow, 'response');
    slow.end('"It moves."}');
    const [{ statusCode }] = (await answered) as [{ readonly statusCode: number }];
    expect(statusCode).toBe(200);
    agent.destroy();
    expect((await server.ended).code).toBe(0);
    expect(before.filter(runs)).toEqual([]);
  });

  it('takes its fronts along when it is killed: none is left on the port', async () => {
    server = await serveIn(folder, settings);
    const pids = fronts(server);
    await order();
    server.process.kill('SIGKILL');
    await server.ended;
    while (pids.some(runs)) await new Promise((resolve) => setImmediate(resolve));
    server = await serveIn(folder, settings);
    await order();
  });

  it('does not start on a port that is taken, and says so', async () => {
    const { port } = new URL(server.url);
    const { code, complaints } = await run(folders(), ['serve'], { ...settings, PORT: port });
    expect(code).toBe(1);
    expect(complaints).toContain(`The port ${port} is in use`);
  });
});

describe('FRONTS', () => {
  it.each([
    ['0', 0],
    ['3', 3],
    ['16', 16],
  ])('%s is a number of processes', (text, count) => {
    expect(readSettings({ FRONTS: text }).FRONTS).toBe(count);
  });

  it('is none by default, and leaves a core to the server when it is auto', () => {
    expect(readSettings({}).FRONTS).toBe(0);
    expect(readSettings({ FRONTS: 'auto' }).FRONTS).toBeLessThan(17);
  });

  it.each(['17', '-1', 'all', '1.5'])('is refused as %s, by name', (text) => {
    expect(() => readSettings({ FRONTS: text })).toThrow(SettingError);
    expect(() => readSettings({ FRONTS: text })).toThrow(/^FRONTS must be auto/);
  });

  it('is refused beside NODE_URL', () => {
    const node = {
      ...{ DATABASE_URL: 'postgres://localhost/slipstream', SECRET_KEY },
      ...{ NODE_URL: 'http://10.0.0.5:3001', FRONTS: '2' },
    };
    expect(() => readSettings(node)).toThrow(/^FRONTS must be 0/);
  });
});
