import { type AddressInfo, connect, createServer } from 'node:net';
import { networkInterfaces } from 'node:os';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  type TestDatabase,
  q,
  testDatabase,
} from '../../../adapter-sql/tests/postgres/database.js';
import { silentFeed, silentLog } from '@slipstream/adapter-memory/testing';
import { SettingError, readSettings } from '../../src/index.js';
import { hostOf } from '../../src/listening.js';
import { openNode } from '../../src/nodes/open-node.js';
import { CHILD_OPERATOR, freshFolders, signUp } from '../helpers/child-server.js';
import { ask, attempt } from '../helpers/composed-server.js';
import { NODES_KEY, type Nodes, type RunningNode, nodesOver } from '../helpers/running-nodes.js';
import { runCommand } from '../helpers/run-command.js';
import { StreamClient } from '../helpers/stream-client.js';

const AAPL = 'AAPL:NASDAQ';
/** Nodes find each other by IPv6 where there is any. */
const hasIPv6 = Object.values(networkInterfaces()).some((all) =>
  all?.some(({ address }) => address === '::1'),
);
const folders = freshFolders();

let database: TestDatabase;
let nodes: Nodes;
let token: string;
let strategy_id: string;
/** The one that owns the database, and another one. */
let owner: RunningNode;
let other: RunningNode;

const quote = (url: string) =>
  ask(
    url,
    'newQuotes',
    { quotes: [{ stock_id: AAPL, bid: 99.9, ask: 100.1, last: 100 }] },
    CHILD_OPERATOR,
  );
const order = (url: string) =>
  ask(url, 'newOrder', { strategy_id, stock_id: AAPL, action: 'buy', amount: '0.0001' }, token);

beforeAll(async () => {
  database = await testDatabase();
  nodes = nodesOver(database, folders(), hasIPv6 ? '[::1]' : '127.0.0.1');
  owner = await nodes.start();
  await nodes.owner();
  other = await nodes.start();
  token = await signUp((name, fields, by) =>
    ask(other.url, name, fields, name === 'newUser' ? CHILD_OPERATOR : by),
  );
  ({ strategy_id } = await ask(other.url, 'newStrategy', { type: 'stock', name: 'One' }, token));
  await quote(other.url);
});
afterAll(() => database.client.end());

describe('several nodes over a database', () => {
  it('take every request, and each knows at once what another one answered', async () => {
    const { order_id } = await order(other.url);
    for (const { url } of [owner, other]) {
      const trades = await ask(url, 'getTrades', { strategy_id }, token);
      expect(trades[0]).toMatchObject({ order_id });
    }
    const refused = await attempt(other.url, 'newOrder', { strategy_id }, token);
    expect(refused.status).toBe(400);
    const page = await fetch(`${other.url}/docs`);
    expect([page.status, page.headers.get('content-type')]).toEqual([
      200,
      'text/html; charset=utf-8',
    ]);
  });

  it('record a request with its own id and the address of its client, whichever node took it', async () => {
    const { headers } = await attempt(other.url, 'newPost', { text: 'It moves.' }, token);
    const { rows } = await database.client.query(
      q('SELECT ip FROM audit_entries WHERE request_id = ?', headers.get('x-request-id')),
    );
    expect(rows).toEqual([{ ip: '127.0.0.1' }]);
  });

  it('say all that trading is halted, when they are asked whether they are ready', async () => {
    const ready = () =>
      Promise.all([owner, other].map(async ({ url }) => (await fetch(`${url}/readyz`)).text()));
    const halt = { scope: 'broker', id: 'simulated', reason: 'The broker is down.' };
    const { halt_id } = await ask(other.url, 'haltTrading', halt, CHILD_OPERATOR);
    const halted = 'ready\ntrading with simulated is halted\n';
    expect(await ready()).toEqual([halted, halted]);
    await ask(other.url, 'resumeTrading', { halt_id }, CHILD_OPERATOR);
    expect(await ready()).toEqual(['ready\n', 'ready\n']);
  });

  it('refuse a request without a Host, whichever node takes it', async () => {
    for (const { url } of [owner, other]) {
      const socket = connect(Number(new URL(url).port), '127.0.0.1');
      socket.write('GET /healthz HTTP/1.1\r\nConnection: close\r\n\r\n');
      expect(await text(socket)).toMatch(/^HTTP\/1.1 400 [^]*"success":false/);
    }
  });

  it('do not take an alert for a resend whose answer another node delivered', async () => {
    const alert = { strategy_id, stock_id: AAPL, action: 'buy', pyramiding: 10, leverage: 0.01 };
    const first = await ask(other.url, 'newOrderWebhook', alert, token);
    const second = await ask(other.url, 'newOrderWebhook', alert, token);
    expect(second.order_id).not.toBe(first.order_id);
  });

  it('are listed by a command, which says who serves', async () => {
    const environment = { DATABASE_URL: database.url, SECRET_KEY: NODES_KEY };
    const { out } = await runCommand(['nodes', '--json'], environment);
    const listed = JSON.parse(out) as readonly { readonly url: string; readonly state: string }[];
    const states = new Map(listed.map(({ url, state }) => [url, state]));
    expect(states).toEqual(
      new Map([
        [owner.nodeUrl, 'serves'],
        [other.nodeUrl, 'waits'],
      ]),
    );
    expect((await runCommand(['nodes'], environment)).out).toContain(owner.nodeUrl);
    const { code } = await runCommand(['nodes'], { DATABASE_URL: 'memory:' });
    expect(code).toBe(1);
  });

  it('let one go at the word of the operator, who hears who serves then', async () => {
    const environment = { DATABASE_URL: database.url, SECRET_KEY: NODES_KEY };
    const listed = async (...drain: string[]) => {
      const { out } = await runCommand(['nodes', '--json', ...drain], environment);
      return JSON.parse(out) as readonly { readonly id: string; readonly url: string }[];
    };
    const serving = (await listed()).find(({ url }) => url === owner.nodeUrl);
    const { order_id } = await order(owner.url);
    const left = await listed('--drain', serving?.id ?? '');
    expect(left).toMatchObject([{ url: other.nodeUrl, state: 'serves' }]);
    expect((await owner.ended).code).toBe(0);
    const [trade] = await ask(other.url, 'getTrades', { strategy_id }, token);
    expect(trade).toMatchObject({ order_id });

    const last = await runCommand(['nodes', '--drain', left[0]?.id ?? ''], environment);
    expect([last.code, last.complaints]).toEqual([1, expect.stringContaining('no other server')]);
    const unknown = await runCommand(['nodes', '--drain', 'none'], environment);
    expect(unknown.complaints).toContain('no server has the id none');
    [owner, other] = [other, await nodes.start()];
    await quote(other.url);
  });

  it('stream what another node decides', async () => {
    const stream = await StreamClient.open(other.url, token);
    const [snapshot] = await stream.subscribe(`wsPositions:${strategy_id}`);
    expect(snapshot).toMatchObject({ event: 'snapshot' });
    await order(owner.url);
    const { version } = await stream.next(({ event }) => event === 'changed');
    expect(version).toBeGreaterThan(snapshot?.version ?? 0);
    stream.stop();
    await stream.closed;
  });

  it('refuse one with another master key, which ends with 1', async () => {
    const stranger = await nodes.start({ SECRET_KEY: `${NODES_KEY} not` });
    expect((await stranger.ended).code).toBe(1);
    await order(other.url);
  });

  it('refuse one whose MARKET was forgotten when it starts: it could not serve after the others', async () => {
    await expect(nodes.start({ MARKET: '' })).rejects.toThrow(
      /^the program ended with 1: [^]*MARKET is not set, which means simulated prices/,
    );
    await order(other.url);
    const closed: string[] = [];
    const feed = { ...silentFeed(), close: async () => void closed.push('feed') };
    const settings = readSettings({
      ...{ DATABASE_URL: database.url, NODE_URL: 'http://127.0.0.1:0', PORT: '0' },
      SECRET_KEY: NODES_KEY,
    });
    const adapters = { marketFeed: feed };
    await expect(openNode(settings, silentLog(), adapters, () => undefined)).rejects.toThrow(
      'MARKET is not set',
    );
    expect(closed).toEqual(['feed']);
  });

  it('serve on when the one that serves is stopped, and lose none of its answers', async () => {
    const { order_id } = await order(owner.url);
    owner.process.kill('SIGTERM');
    expect((await owner.ended).code).toBe(0);
    owner = await nodes.owner(owner);
    const trades = await ask(other.url, 'getTrades', { strategy_id }, token);
    expect(trades[0]).toMatchObject({ order_id });
  });

  it('give the database back when all of them stop, and are refused while a server uses it alone', async () => {
    for (const node of nodes.all()) node.process.kill('SIGTERM');
    await Promise.all([owner.ended, other.ended]);
    const alone = await nodes.start({ NODE_URL: '' });
    await order(alone.url);
    const refused = await nodes.start();
    await refused.ended;
    await order(alone.url);
  });
});

describe('the settings of a node', () => {
  it.each([
    ['http://10.0.0.5:3001', '10.0.0.5'],
    ['http://[fd00::1]:3001', 'fd00::1'],
    ['http://node-1.internal:3001', undefined],
  ])('name where it listens for the others: %s at %s, a name at HOST', (url, host) => {
    expect(hostOf(new URL(url))).toBe(host);
  });

  it('are named when nobody can listen there: HOST and PORT are those of its clients', async () => {
    const taken = createServer();
    await new Promise<void>((resolve) => void taken.listen(0, '127.0.0.1', resolve));
    const { port } = taken.address() as AddressInfo;
    const given = { DATABASE_URL: 'postgres://127.0.0.1:1/none', SECRET_KEY: NODES_KEY, PORT: '0' };
    const told = async (NODE_URL: string) =>
      (await runCommand(['serve'], { ...given, NODE_URL })).complaints;
    const heading = 'A setting cannot be used:\nNODE_URL: ';
    expect(await told(`http://127.0.0.1:${port}`)).toBe(
      `${heading}its port is in use, by another server perhaps (EADDRINUSE)\n`,
    );
    expect(await told('http://192.0.2.1:3001')).toBe(
      `${heading}its host is not an address of this machine (EADDRNOTAVAIL)\n`,
    );
    await new Promise((resolve) => taken.close(resolve));
  });

  const postgres = { DATABASE_URL: 'postgres://localhost/slipstream', SECRET_KEY: NODES_KEY };
  it.each([
    ['NODE_URL needs a DATABASE_URL of PostgreSQL', { SECRET_KEY: NODES_KEY }, 'http://a:1'],
    ['NODE_URL needs SECRET_KEY', { DATABASE_URL: postgres.DATABASE_URL }, 'http://a:1'],
    ['NODE_URL must be like', postgres, 'http://a'],
    ['NODE_URL must be like', postgres, 'https://a:1'],
    ['NODE_URL must be like', postgres, 'http://a:1/path'],
    ['LEASE_SECONDS must be', { ...postgres, LEASE_SECONDS: '1' }, 'http://a:1'],
    ...[
      ['127.0.0.1', 'http://127.0.0.1:3000'],
      ['10.0.0.5', 'http://10.0.0.5:3000'],
      ['0.0.0.0', 'http://10.0.0.5:3000'],
      ['::', 'http://[2001:db8::1]:3000'],
      ['::', 'http://10.0.0.5:3000'],
      ['::', 'http://0.0.0.0:3000'],
      ['0.0.0.0', 'http://one.example:3000'],
      ['10.0.0.5', 'http://0.0.0.0:3000'],
      ['10.0.0.5', 'http://one.example:3000'],
    ].map(
      ([HOST = '', url = '']) =>
        [
          'NODE_URL must have another port than PORT',
          { ...postgres, HOST, PORT: '3000' },
          url,
        ] as const,
    ),
  ])('are refused by name: %s', (message, environment, NODE_URL) => {
    const read = () => readSettings({ ...environment, NODE_URL });
    expect(read).toThrow(SettingError);
    expect(read).toThrow(message);
  });

  it.each([
    ['127.0.0.1', '3000', 'http://10.0.0.5:3000'],
    ['0.0.0.0', '3000', 'http://[2001:db8::1]:3000'],
    ['2001:db8::1', '3000', 'http://0.0.0.0:3000'],
    ['10.0.0.5', '3000', 'http://10.0.0.5:3001'],
    ['10.0.0.5', '0', 'http://10.0.0.5:0'],
  ])('are taken at two hosts or two ports: %s, %s, %s', (HOST, PORT, NODE_URL) => {
    expect(() => readSettings({ ...postgres, HOST, PORT, NODE_URL })).not.toThrow();
  });
});
