import { type EventEmitter, once } from 'node:events';
import { type IncomingMessage, type RequestListener, request as httpRequest } from 'node:http';
import { type AddressInfo, type Socket, connect, createServer } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterEach } from '@jest/globals';
import { aesSecretBox } from '@slipstream/adapter-crypto';
import { silentLog } from '@slipstream/adapter-memory/testing';
import { httpServer } from '../../../adapter-http/src/connections/http-server.js';
import { linkHost } from '../../../adapter-http/src/link/link-host.js';
import { type LocalService, linkServer } from '../../../adapter-http/src/nodes/link-server.js';
import { NewsOfDeliveries } from '../../../adapter-http/src/nodes/news.js';
import { nodeFront } from '../../../adapter-http/src/nodes/node-front.js';
import { type Peer, linkWith } from '../../../adapter-http/src/nodes/peer.js';
import { ServingNode } from '../../../adapter-http/src/nodes/serving-node.js';

export const KEY = 'the master key of the tests and their servers';
export const proofs = aesSecretBox([KEY]);
export const asked = {
  ...{ method: 'POST', target: '/newPost', headers: { host: 'x' }, address: '192.0.2.7' },
  ...{ requestId: 'r-1', waited: 3 },
};

/** What a test has opened; closed after it, the last first. */
export const ends: (() => unknown)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
});

export type Answer = LocalService['handler']['answer'];
export const done: Answer = async () => ({ status: 200, headers: {}, body: 'done' });

/** A node that serves, and what it heard of deliveries. */
export async function serving(
  answer: Answer = done,
  box = proofs,
  app: RequestListener = (_, response) => response.end(),
) {
  const heard: string[] = [];
  const state = { isServing: true };
  const service = {
    id: 'owner',
    handler: { answer, app },
    deliveries: {
      alertAnswered: (delivery: string) => heard.push(delivery),
      alertLost: (delivery: string) => heard.push(`lost ${delivery}`),
    },
  } as unknown as LocalService;
  const links = linkServer(box, () => (state.isServing ? service : undefined));
  links.server.listen(0, '127.0.0.1');
  await once(links.server, 'listening');
  ends.push(() => links.close());
  return { url: `http://127.0.0.1:${portOf(links.server)}`, heard, state, links };
}

export const portOf = (server: EventEmitter): number =>
  (server as unknown as { address(): AddressInfo }).address().port;

export const news = () => new NewsOfDeliveries(() => undefined);

/** Linked as soon as the other one answers: on a busy machine that may take longer than a node waits. */
export async function linked(
  url: string,
  of = news(),
  box = proofs,
  host = linkHost,
): Promise<Peer> {
  const linking = { proofs: box, isRemote: true, host };
  for (let attempt = 1; attempt <= 20; attempt += 1) {
    const found = await linkWith({ id: 'owner', url }, linking, of, () => undefined);
    if (found === 'stranger') throw new Error('the other node has another master key');
    if (!found) continue;
    ends.push(() => found.destroy());
    return found;
  }
  throw new Error('the other node does not answer');
}

/** Between the two nodes: keeps what the asking one sends, and lets it through. */
export async function between(url: string) {
  const recorded: Buffer[] = [];
  const sockets = new Set<Socket>();
  const freezes: (() => void)[] = [];
  const thaws: (() => void)[] = [];
  const server = createServer({ noDelay: true }, (socket) => {
    const to = connect({ port: Number(new URL(url).port), host: '127.0.0.1', noDelay: true });
    for (const one of [socket, to]) sockets.add(one.on('error', () => one.destroy()));
    socket.on('data', (bytes) => recorded.push(bytes));
    socket.pipe(to).pipe(socket);
    freezes.push(() => {
      socket.unpipe(to).pause();
      to.unpipe(socket).pause();
    });
    thaws.push(() => void socket.pipe(to).pipe(socket));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const cut = () => {
    for (const socket of sockets) socket.destroy();
  };
  ends.push(() => {
    cut();
    server.close();
  });
  /** From now on nothing passes, and nobody is told. */
  const freeze = () => {
    for (const one of freezes) one();
  };
  /** What came meanwhile passes now. */
  const thaw = () => {
    for (const one of thaws) one();
  };
  return { url: `http://127.0.0.1:${portOf(server)}`, recorded, cut, freeze, thaw };
}

/** A node that forwards to one that answers so, over a link that can be cut. */
export async function forwarding(answer: Answer, isDone: () => boolean) {
  const { url, state } = await serving(answer);
  const proxy = await between(url);
  const nothing = () => undefined;
  const node = new ServingNode({
    ...{ owner: () => ({ id: 'owner', url: proxy.url }), proofs, isRemote: true },
    ...{ log: silentLog(), onStranger: nothing, onLeft: nothing },
  });
  const front = nodeFront({
    ...{ serving: node, log: silentLog(), trustProxy: false, hasHealth: true },
    ...{ carriesStreams: true, local: nothing, mayStream: () => false, newId: () => 'r-1' },
    async wasDone(_node, _requestId, isSettled) {
      while (!isSettled()) await new Promise((then) => setImmediate(then));
      return isDone();
    },
  });
  const { server } = httpServer(front.app, { upgrades: () => false });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  ends.push(() => {
    front.close();
    node.stop();
    server.close();
    server.closeAllConnections();
  });
  const port = portOf(server);

  /** Sends it; resolves with the status and the text of the answer, or `cut`. */
  const send = async (path: string, headers = {}, body?: string): Promise<unknown> => {
    const method = body === undefined ? 'GET' : 'POST';
    const request = httpRequest({ host: '127.0.0.1', port, path, method, headers }).end(body);
    try {
      const [response] = (await once(request, 'response')) as [IncomingMessage];
      return [response.statusCode, await text(response)];
    } catch {
      return 'cut';
    }
  };
  return { state, proxy, send };
}
