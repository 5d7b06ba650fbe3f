import { EventEmitter, once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { type AddressInfo, type Server, type Socket, connect, createServer } from 'node:net';
import type { Duplex } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { aesSecretBox } from '@slipstream/adapter-crypto';
import {
  type LocalService,
  ServingNode,
  httpServer,
  linkServer,
  nodeFront,
} from '@slipstream/adapter-http';
import { silentLog } from '@slipstream/adapter-memory/testing';
import { WebSocketServer } from 'ws';
import { Client } from '../../../adapter-ws/tests/client.js';
import { pause } from '../../../adapter-ws/tests/control.js';
import { anOrder, bookChanged, serve } from '../../../adapter-ws/tests/harness.js';

const proofs = aesSecretBox(['the master key of the tests and their servers']);
const ORDERS = 'wsOrders:s';

const ends: (() => unknown)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
});

const listening = async (server: Server): Promise<number> => {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
};

/** A node that serves streams. */
interface Serving {
  readonly id: string;
  readonly url: string;
  /** It has ended. */
  end(): void;
  /** It serves no more. */
  leave(): void;
}

/** The node that serves, for the one that forwards. */
let owner: Serving;

async function served(id: string, upgrades: EventEmitter): Promise<Serving> {
  let isServing = true;
  const links = linkServer(proofs, () =>
    isServing ? ({ id, upgrades } as LocalService) : undefined,
  );
  const port = await listening(links.server);
  const sockets = new Set<Socket>();
  links.server.on('connection', (socket: Socket) => void sockets.add(socket));
  const end = (): void => sockets.forEach((socket) => socket.destroy());
  ends.push(() => {
    end();
    return links.close();
  });
  const leave = (): void => {
    isServing = false;
    void links.leave();
  };
  return { id, url: `http://127.0.0.1:${port}`, end, leave };
}

async function realOwner(id: string) {
  const live = await serve();
  const upgrades = new EventEmitter();
  live.streams.attach(upgrades);
  const node = await served(id, upgrades);
  ends.push(() => live.stop());
  return { ...node, live };
}
type RealOwner = Awaited<ReturnType<typeof realOwner>>;

/** A node that forwards to the owner. */
async function forwarding() {
  const serving = new ServingNode({
    ...{ proofs, isRemote: true, log: silentLog() },
    ...{ owner: () => owner, onStranger: () => undefined, onLeft: () => undefined },
  });
  const front = nodeFront({
    ...{ serving, log: silentLog(), trustProxy: false, hasHealth: true, carriesStreams: true },
    ...{ local: () => undefined, mayStream: () => false, newId: () => 'own' },
    wasDone: async () => undefined,
  });
  const { server } = httpServer(front.app, { upgrades: () => true });
  front.attach(server);
  const port = await listening(server);
  const sockets = new Set<Socket>();
  server.on('connection', (socket) => void sockets.add(socket));
  ends.push(() => {
    for (const socket of sockets) socket.destroy();
    front.close();
    serving.stop();
    server.close();
  });
  return { port, front, sockets };
}

let first: RealOwner;
let node: Awaited<ReturnType<typeof forwarding>>;
beforeEach(async () => {
  owner = first = await realOwner('first');
  node = await forwarding();
});

async function connected(port: number): Promise<Client> {
  const client = new Client(port, { Authorization: 'ada' });
  await once(client.socket, 'open');
  ends.push(() => client.socket.terminate());
  return client;
}

/** Orders are opened by one change, so that the book has that version. */
function opened({ live }: RealOwner, version: number, ...names: string[]): void {
  const changes = names.map((name) => ({ kind: 'opened', order: anOrder(name) }));
  live.known.version = version;
  live.publish(bookChanged(version, changes));
}

const nameOf = ({ event, version, data }: Awaited<ReturnType<Client['next']>>): unknown[] => [
  event,
  version,
  (data as { readonly order_id?: string }).order_id,
];

/** Another node serves, which knows what was told before. */
async function takeOver(told: (next: RealOwner) => void): Promise<void> {
  const before = owner;
  const next = await realOwner('next');
  told(next);
  owner = next;
  before.end();
}

async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await sleep(10);
}

/** What a client is answered that sends this request and no more. */
async function answered(port: number, headers: readonly string[], hangsUp = false) {
  const socket = connect(port, '127.0.0.1');
  let text = '';
  socket.on('data', (bytes) => (text += bytes.toString('latin1')));
  socket.on('error', () => undefined);
  socket.write(['GET /ws HTTP/1.1', ...headers, '', ''].join('\r\n'));
  if (hangsUp) socket.end();
  await once(socket, 'close');
  return text.replace(/request-\d+/, 'request');
}
const UPGRADE = [
  ...['Host: x', 'Connection: Upgrade', 'Upgrade: websocket', 'Sec-WebSocket-Version: 13'],
  'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==',
];

describe('an upgrade that another node takes', () => {
  it.each([
    ['a subprotocol twice', [...UPGRADE, 'Sec-WebSocket-Protocol: a, a']],
    ['a key that is none', [...UPGRADE.slice(0, -1), 'Sec-WebSocket-Key: a']],
    ['a token that does not count', [...UPGRADE, 'Authorization: Bearer nobody']],
  ])('is refused as that node refuses it: %s', async (_, headers) => {
    const told = await answered(node.port, headers);
    expect(told).toContain('application/json');
    expect(told).toBe(await answered(first.live.port, headers));
    await until(() => first.live.streams.connections() === 0);
  });

  it('leaves nothing at that node when its client has hung up', async () => {
    const { wait, reached, resume } = pause();
    first.live.known.authenticated = wait;
    const ended = answered(node.port, [...UPGRADE, 'Authorization: ada'], true);
    await reached;
    resume();
    await ended;
    await until(() => first.live.streams.connections() === 0);
  });

  it('is cut when its node stops meanwhile', async () => {
    const { wait, reached, resume } = pause();
    first.live.known.authenticated = wait;
    const ended = answered(node.port, [...UPGRADE, 'Authorization: ada']);
    await reached;
    node.front.endForwarded();
    expect(await ended).toBe('');
    resume();
  });
});

describe('orders of a client whose node forwards', () => {
  it('go on after the version that the client itself had named', async () => {
    opened(first, 6, 'a');
    const client = await connected(node.port);
    await client.ask({ action: 'subscribe', channels: [ORDERS], after: { [ORDERS]: 6 } });
    await takeOver((next) => {
      opened(next, 6, 'a');
      opened(next, 7, 'b');
    });
    expect(nameOf(await client.next())).toEqual(['opened', 7, 'b']);
  });

  it('go on for a client with the most channels and many frames that wait', async () => {
    const client = await connected(node.port);
    const names = Array.from({ length: 100 }, (_, at) => `wsOrders:s${at}`);
    for (let at = 0; at < 100; at += 50) await client.subscribe(...names.slice(at, at + 50));
    const before = owner;
    const next = await realOwner('next');
    owner = { ...next, id: 'nobody', url: 'http://127.0.0.1:1' };
    before.end();
    await until(() => first.live.streams.connections() === 0);
    for (let at = 0; at < 60; at++) client.send({ id: String(at), action: 'ping' });
    owner = next;
    for (let at = 0; at < 60; at++) expect((await client.next()).id).toBe(String(at));
    expect(await client.ask({ action: 'ping' })).toMatchObject({ response: { channels: names } });
  });

  it('go on for a client that reads slowly when the node that serves stops', async () => {
    const client = await connected(node.port);
    await client.subscribe(ORDERS);
    client.socket.pause();
    const names = Array.from({ length: 100 }, (_, at) => `o${at}`);
    let version = 5;
    const [socket] = node.sockets;
    // Its node reads no more of the stream, and as much is on the way as there is room for.
    for (let stuck = 0; stuck < 10; stuck = socket?.writableNeedDrain === true ? stuck + 1 : 0) {
      opened(first, ++version, ...names);
      await sleep(10);
    }
    opened(first, ++version, 'last');
    void first.live.streams.close();
    first.leave();
    await sleep(100);
    // The close frame waits behind what the client does not read.
    first.live.ring(1_000);
    await until(() => first.live.streams.connections() === 0);
    await sleep(50);
    await takeOver((next) => {
      for (let at = 6; at < version; at++) opened(next, at, ...names);
      opened(next, version, 'last');
    });
    client.socket.resume();
    const told: unknown[] = [];
    while (told.at(-1) !== 'last')
      told.push(
        await Promise.race([
          client.next().then((frame) => nameOf(frame)[2]),
          client.closed.then((code) => Promise.reject(new Error(`closed ${code}`))),
        ]),
      );
    expect(told).toHaveLength((version - 6) * names.length + 1);
  });

  it('are told whole when the node that serves ends amid those of one version', async () => {
    const sockets = new WebSocketServer({ noServer: true });
    const upgrades = new EventEmitter();
    upgrades.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) =>
      sockets.handleUpgrade(request, socket, head, (told) => {
        told.once('message', () => {
          told.send('{"id":"q","success":true,"response":{}}');
          for (const [event, version] of [
            ['snapshot', 5],
            ['opened', 6],
            ['opened', 7],
          ] as const)
            told.send(
              JSON.stringify({
                ...{ channel: ORDERS, event, version, at: '' },
                data: { order_id: `${event} ${version}` },
              }),
            );
        });
      }),
    );
    owner = await served('fake', upgrades);
    const client = await connected(node.port);
    await client.ask({ action: 'subscribe', channels: [ORDERS] });
    for (const version of [5, 6, 7]) expect((await client.next()).version).toBe(version);
    await takeOver((next) => {
      opened(next, 6, 'opened 6');
      opened(next, 7, 'opened 7', 'with it');
      opened(next, 8, 'later');
    });
    expect(nameOf(await client.next())).toEqual(['opened', 7, 'with it']);
    expect(nameOf(await client.next())).toEqual(['opened', 8, 'later']);
  });
});

describe('a client whose node waits for the one that serves', () => {
  it('is cut off when it sends too much meanwhile', async () => {
    const frozen = new Set<Socket>();
    const relay = createServer({ noDelay: true }, (near) => {
      const far = connect({ port: Number(new URL(first.url).port), noDelay: true });
      for (const socket of [near, far]) frozen.add(socket.on('error', () => socket.destroy()));
      near.pipe(far).pipe(near);
    });
    owner = { ...first, id: 'first', url: `http://127.0.0.1:${await listening(relay)}` };
    ends.push(() => {
      for (const socket of frozen) socket.destroy();
      relay.close();
    });
    const client = await connected(node.port);
    await client.ask({ action: 'ping' });
    for (const socket of frozen) socket.unpipe().pause();
    for (let at = 0; at <= 100; at++) client.send({ action: 'ping' });
    expect(await client.closed).toBe(1008);
  });
});
