import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type TestDatabase, testDatabase } from '../../../adapter-sql/tests/postgres/database.js';
import { CHILD_OPERATOR, freshFolders, signUp } from '../helpers/child-server.js';
import { ask } from '../helpers/composed-server.js';
import { type Nodes, type RunningNode, nodesOver } from '../helpers/running-nodes.js';
import { type Frame, StreamClient } from '../helpers/stream-client.js';

const AAPL = 'AAPL:NASDAQ';
const folders = freshFolders();

let database: TestDatabase;
let nodes: Nodes;
let token: string;
let strategy_id: string;
/** The one that serves, and two that forward to it. */
let owner: RunningNode;
let others: RunningNode[];
let clients: StreamClient[];
let channels: string[];
/** The orders since the clients came, in their order. */
let placed: string[] = [];

const order = async (url: string): Promise<void> => {
  const fields = { strategy_id, stock_id: AAPL, action: 'buy', amount: '0.0001' };
  const { order_id } = await ask(url, 'newOrder', fields, token);
  placed.push(order_id);
};
const quote = (url: string) =>
  ask(
    url,
    'newQuotes',
    { quotes: [{ stock_id: AAPL, bid: 99.9, ask: 100.1, last: 100 }] },
    CHILD_OPERATOR,
  );

/** The orders that a client was told to be filled, each as often as it was told. */
const told = ({ frames }: StreamClient): unknown[] =>
  frames
    .filter(({ channel, event }) => channel === channels[0] && event === 'filled')
    .map(({ data }) => (data as { readonly order_id: string }).order_id);

/** Channels whose version fell from one frame to a later one. */
function fallen({ frames }: StreamClient): readonly Frame[] {
  const last = new Map<string | undefined, number>();
  return frames.filter(({ channel, version = 0 }) => {
    const before = last.get(channel) ?? 0;
    last.set(channel, version);
    return version < before;
  });
}

/** Resolves when the client was told of the last order. */
async function hearsLast(client: StreamClient): Promise<void> {
  const isTold = (frame: Frame): boolean =>
    frame.event === 'filled' && (frame.data as { order_id?: string }).order_id === placed.at(-1);
  if (!client.frames.some(isTold)) await client.next(isTold);
}

beforeAll(async () => {
  database = await testDatabase();
  nodes = nodesOver(database, folders());
  owner = await nodes.start();
  await nodes.owner();
  others = await Promise.all([nodes.start(), nodes.start()]);
  token = await signUp((name, fields, by) =>
    ask(owner.url, name, fields, name === 'newUser' ? CHILD_OPERATOR : by),
  );
  ({ strategy_id } = await ask(owner.url, 'newStrategy', { type: 'stock', name: 'One' }, token));
  await quote(owner.url);
  channels = ['wsOrders', 'wsPositions', 'wsStrategyValue', 'wsAlerts'].map(
    (kind) => `${kind}:${strategy_id}`,
  );
});

afterAll(() => database.client.end());

/** A client of each node that forwards; one gives its token in a frame. */
async function connectClients(): Promise<void> {
  const [first, second] = others as [RunningNode, RunningNode];
  clients = [await StreamClient.open(first.url, token), await StreamClient.open(second.url)];
  expect(await clients[1]?.ask({ action: 'authenticate', token })).toMatchObject({ success: true });
  for (const client of clients) await client.subscribe(...channels);
  placed = [];
}

/** Another node serves, and knows prices. */
async function endOwner(signal: 'SIGKILL' | 'SIGTERM'): Promise<void> {
  const before = owner;
  owner.process.kill(signal);
  owner = await nodes.owner(before);
  others = others.filter((one) => one !== owner);
  await quote(owner.url);
}

describe('streams of clients of other nodes than the one that serves', () => {
  it.each(['SIGKILL', 'SIGTERM'] as const)(
    'go on when that one ends by %s: each order is told once, and no version falls',
    async (signal) => {
      await connectClients();
      await order((others as [RunningNode])[0].url);
      await endOwner(signal);
      await order(owner.url);
      await Promise.all(clients.map(hearsLast));
      for (const client of clients) {
        expect(told(client)).toEqual(placed);
        expect(fallen(client)).toEqual([]);
        const { response } = await client.ask({ action: 'ping' });
        expect(response).toEqual({ channels });
      }
      others.push(await nodes.start());
    },
  );

  it('begin anew with a snapshot where nothing is told of each event: values, positions, alerts', () => {
    for (const { frames } of clients) {
      const snapshots = frames.filter(({ event }) => event === 'snapshot');
      const times = (at: number): number =>
        snapshots.filter(({ channel }) => channel === channels[at]).length;
      expect(channels.map((_, at) => times(at))).toEqual([1, 2, 2, 2]);
    }
  });

  it('forget what their client has left', async () => {
    await connectClients();
    const [client] = clients as [StreamClient];
    await client.ask({ action: 'unsubscribe', channels: channels.slice(1) });
    const count = client.frames.length;
    await endOwner('SIGKILL');
    await order(owner.url);
    await hearsLast(client);
    const since = client.frames.slice(count).map(({ channel }) => channel);
    expect(new Set(since)).toEqual(new Set([channels[0]]));
  });

  it('end with 1001 when the node stops that their client is connected to', async () => {
    others.push(await nodes.start());
    await connectClients();
    for (const node of nodes.all()) node.process.kill('SIGTERM');
    expect(await Promise.all(clients.map(({ closed }) => closed))).toEqual([1001, 1001]);
  });
});
