import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { type AddressInfo, type Socket, connect } from 'node:net';
import { setImmediate as turn } from 'node:timers/promises';
import { afterEach, describe, expect, it } from '@jest/globals';
import type { DropReason, HttpServerOptions } from '../src/index.js';
import { httpServer } from '../src/index.js';
import { served } from './stand-in.js';

const opened: (() => void)[] = [];
afterEach(() => {
  for (const close of opened.splice(0)) close();
});

/** The server on its own port, and the reasons of dropped connections. */
async function listening(
  options: HttpServerOptions = {},
  answers: Parameters<typeof served>[0] = { getTokens: () => [], readNotifications: () => 0 },
) {
  const drops: DropReason[] = [];
  const http = httpServer(served(answers).app, {
    ...options,
    dropped: (reason) => void drops.push(reason),
  });
  http.server.listen(0, '127.0.0.1');
  await once(http.server, 'listening');
  opened.push(() => {
    http.server.close();
    http.server.closeAllConnections();
  });
  const { port } = http.server.address() as AddressInfo;
  /** A plain socket that by default never closes its own side. */
  const dial = async (): Promise<Socket> => {
    const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
    socket.on('error', () => undefined);
    opened.push(() => socket.destroy());
    await once(socket, 'connect');
    return socket;
  };
  return { ...http, drops, dial };
}

/** Resolves when the other side has closed the connection. */
const gone = (socket: Socket): Promise<void> =>
  socket.closed || socket.readableEnded
    ? Promise.resolve()
    : new Promise((resolve) => {
        socket.once('end', resolve).once('close', () => resolve());
        socket.resume();
      });

/** All data until `count` answers have come. */
async function answersOf(socket: Socket, count: number): Promise<string> {
  let text = '';
  while ((text.match(/HTTP\/1\.1 \d+/g) ?? []).length < count || !/\r\n\r\n.+$/s.test(text)) {
    const [piece] = (await once(socket, 'data')) as [Buffer];
    text += String(piece);
  }
  return text;
}

const statuses = (text: string): string[] => text.match(/(?<=HTTP\/1\.1 )\d+/g) ?? [];
const get = (path: string, ...headers: string[]): string =>
  [`GET ${path} HTTP/1.1`, 'Host: localhost', ...headers, '', ''].join('\r\n');
const post = (path: string, body: string, ...headers: string[]): string =>
  [
    `POST ${path} HTTP/1.1`,
    'Host: localhost',
    'Authorization: all',
    'Content-Type: application/json',
    ...headers,
    '',
    body,
  ].join('\r\n');

describe('sockets are released', () => {
  const open = async (server: {
    getConnections: (done: (e: unknown, n: number) => void) => void;
  }) => new Promise<number>((resolve) => server.getConnections((_, count) => resolve(count)));

  it('after bad HTTP, though the client never closes its side', async () => {
    const { server, dial, drops } = await listening();
    const sockets = await Promise.all(Array.from({ length: 20 }, dial));
    for (const socket of sockets) socket.write('NONSENSE\r\n\r\n');
    for (const socket of sockets) {
      socket.resume();
      await gone(socket);
    }
    while ((await open(server)) > 0) await turn();
    expect(drops).toEqual(Array.from({ length: 20 }, () => 'malformed'));
  });

  it('after the answers to complete requests before malformed data: nothing that was done looks refused', async () => {
    let done: (() => void) | undefined;
    const work = new Promise<number>((resolve) => (done = () => resolve(1)));
    const { dial, drops } = await listening({}, { readNotifications: () => work });
    const socket = await dial();
    const whole = post('/readNotifications', '{}', 'Content-Length: 2');
    socket.write(`${whole}${whole}}NONSENSE\r\n\r\n`);
    while (drops.length === 0) await turn();
    done?.();
    expect(statuses(await answersOf(socket, 3))).toEqual(['200', '200', '400']);
    await gone(socket);
    expect(drops).toEqual(['malformed']);
  });

  it('when their request does not come in time, with an answer and a count', async () => {
    const { server, dial, drops } = await listening();
    const socket = await dial();
    const [serverSide] = await sideOf(server, dial);
    const late = Object.assign(new Error('late'), { code: 'ERR_HTTP_REQUEST_TIMEOUT' });
    server.emit('clientError', late, serverSide);
    await gone(serverSide);
    expect(drops).toEqual(['timeout']);
    socket.destroy();
  });

  it('has bounds on time: 10 s for headers, 15 s for a request, looked at every 5 s, 30 s to take an answer', () => {
    const { server } = httpServer(served().app);
    const { headersTimeout, requestTimeout, timeout, maxConnections } = server;
    expect({ headersTimeout, requestTimeout, timeout, maxConnections }).toEqual({
      headersTimeout: 10_000,
      requestTimeout: 15_000,
      timeout: 30_000,
      maxConnections: 20_000,
    });
  });

  it('leaves it to a proxy to end idle connections, which none keeps for more than ten minutes', () => {
    const { server } = httpServer(served().app, { isBehindProxy: true });
    expect(server.keepAliveTimeout).toBe(620_000);
  });

  it('when the client reads nothing of the answer', async () => {
    const { server, dial, drops } = await listening();
    const [serverSide] = await sideOf(server, dial);
    server.emit('timeout', serverSide);
    await gone(serverSide);
    expect(drops).toEqual(['unread']);
  });

  it('when no other request comes, without a count: its answers were read', async () => {
    const { server, dial, drops } = await listening();
    server.keepAliveTimeout = 1;
    const socket = await dial();
    socket.write('GET /getTokens HTTP/1.1\r\nHost: localhost\r\n\r\n');
    await answersOf(socket, 1);
    await gone(socket);
    expect(drops).toEqual([]);
  });
});

describe('an answer to a request whose body is still coming', () => {
  it('is the last one of its connection: what a proxy sends next is no part of that body', async () => {
    const { dial } = await listening();
    const socket = await dial();
    socket.write(post('/nowhere', '{', 'Content-Length: 9'));
    const answer = await answersOf(socket, 1);
    expect(statuses(answer)).toEqual(['404']);
    expect(answer).toContain('\r\nConnection: close\r\n');
    let more = '';
    socket.on('data', (data) => (more += String(data)));
    socket.write(get('/healthz'));
    await gone(socket);
    expect(more).toBe('');
  });

  it('reaches a sender who reads nothing before all of the body is sent', async () => {
    const { server, dial } = await listening();
    const [serverSide, socket] = await sideOf(server, dial);
    const body = 'x'.repeat(8 * 1024 * 1024);
    socket.pause();
    const closed = once(serverSide, 'close');
    await new Promise((sent) =>
      socket.write(post('/nowhere', body, `Content-Length: ${body.length}`), sent),
    );
    const answer = answersOf(socket, 1);
    socket.resume();
    expect(statuses(await answer)).toEqual(['404']);
    await closed;
    expect(serverSide.bytesRead).toBeGreaterThan(body.length);
  });

  it('leaves the connection open when the body has come whole', async () => {
    const { dial } = await listening();
    const socket = await dial();
    const whole = post('/readNotifications', '{}', 'Content-Length: 2');
    socket.write(`${whole}${whole}`);
    const answers = await answersOf(socket, 2);
    expect(statuses(answers)).toEqual(['200', '200']);
    expect(answers).not.toContain('Connection: close');
  });
});

/** The server's side of a new connection, and the client's. */
async function sideOf(
  server: { once: (name: 'connection', listener: (socket: Socket) => void) => unknown },
  dial: () => Promise<Socket>,
): Promise<readonly [Socket, Socket]> {
  const accepted = new Promise<Socket>((resolve) => server.once('connection', resolve));
  const client = await dial();
  return [await accepted, client];
}

describe('connections of one address', () => {
  const limits = { address: 3 };

  it('are limited; one more replaces the one that was silent longest', async () => {
    const { dial, drops } = await listening({ limits });
    const [first, second, third] = [await dial(), await dial(), await dial()];
    const fourth = await dial();
    await gone(first);
    expect(drops).toEqual(['crowded_out']);
    for (const socket of [second, third, fourth]) {
      socket.write(get('/healthz'));
      expect(statuses(await answersOf(socket, 1))).toEqual(['200']);
    }
  });

  it('that have all been used stay open: the new one is dropped', async () => {
    const { dial, drops } = await listening({ limits });
    const used = [await dial(), await dial(), await dial()];
    for (const socket of used) {
      socket.write(get('/healthz'));
      await answersOf(socket, 1);
    }
    await gone(await dial());
    expect(drops).toEqual(['address']);
    for (const socket of used) {
      socket.write(get('/healthz'));
      expect(statuses(await answersOf(socket, 1))).toEqual(['200']);
    }
  });

  it('are forgotten when they end', async () => {
    const { server, dial, drops } = await listening({ limits });
    for (let round = 0; round < 10; round++) {
      const [serverSide, client] = await sideOf(server, dial);
      client.destroy();
      await gone(serverSide);
    }
    expect(drops).toEqual([]);
  });
});

describe('an upgrade that nobody accepts', () => {
  const h2c = ['Connection: Upgrade, HTTP2-Settings', 'Upgrade: h2c', 'HTTP2-Settings: AAMAAABk'];
  const streams = { upgrades: ({ url }: IncomingMessage) => url === '/ws' };

  it('is ignored, and the request answered', async () => {
    const { server, dial } = await listening(streams);
    server.on('upgrade', (_, socket: Socket) => socket.destroy());
    const socket = await dial();
    socket.write(get('/healthz', ...h2c));
    expect(await answersOf(socket, 1)).toMatch(/^HTTP\/1.1 200 [^]*\r\n\r\nok\n$/);
    socket.write(get('/healthz'));
    expect(statuses(await answersOf(socket, 1))).toEqual(['200']);
  });

  it.each([
    ['with its length', 'Content-Length: 2', '{}'],
    ['in chunks', 'Transfer-Encoding: chunked', '1\r\n{\r\n1\r\n}\r\n0\r\n\r\n'],
  ])('leaves a body %s to be read', async (_, header, body) => {
    const { server, dial } = await listening(streams);
    server.on('upgrade', (__, socket: Socket) => socket.destroy());
    const socket = await dial();
    for (const _round of [1, 2]) {
      socket.write(post('/readNotifications', body, header, ...h2c));
      expect(statuses(await answersOf(socket, 1))).toEqual(['200']);
    }
  });

  it('of another listener is left to it', async () => {
    const { server, dial } = await listening(streams);
    const taken = once(server, 'upgrade');
    const socket = await dial();
    socket.write(get('/ws', 'Connection: Upgrade', 'Upgrade: websocket'));
    const [request, serverSide] = (await taken) as [IncomingMessage, Socket];
    expect(request.url).toBe('/ws');
    serverSide.destroy();
  });
});

describe('a requested tunnel', () => {
  it('is refused in an answer, after those of the requests before it', async () => {
    const { dial } = await listening();
    const socket = await dial();
    socket.write(`${get('/healthz')}CONNECT example.com:443 HTTP/1.1\r\nHost: example.com\r\n\r\n`);
    const text = await answersOf(socket, 2);
    expect(statuses(text)).toEqual(['200', '405']);
    expect(text).toContain('"success":false');
    await gone(socket);
  });
});

describe('a request that never reaches an operation', () => {
  it.each([
    ['no HTTP', 'hello\r\n\r\n', 400],
    ['HTTP/2', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', 400],
    ['a method that nobody knows', 'FOO / HTTP/1.1\r\nHost: a\r\n\r\n', 400],
    ['two lengths', 'POST /newOrder HTTP/1.1\r\nContent-Length: 1, 2\r\n\r\n', 400],
    ['a long header', `GET / HTTP/1.1\r\nX: ${'a'.repeat(20_000)}\r\n\r\n`, 400],
    ['a tunnel', 'CONNECT example.com:443 HTTP/1.1\r\nHost: example.com\r\n\r\n', 405],
    ['another method', 'TRACE /getTokens HTTP/1.1\r\nHost: a\r\n\r\n', 405],
    ['a path of nobody', 'GET /nowhere HTTP/1.1\r\nHost: a\r\n\r\n', 404],
    ['the server itself', 'OPTIONS * HTTP/1.1\r\nHost: a\r\n\r\n', 404],
  ])('gets a status of the contract: %s', async (_, request, status) => {
    const { dial } = await listening({ newId: () => 'request-0' });
    const socket = await dial();
    socket.write(request);
    const text = await answersOf(socket, 1);
    expect(statuses(text)).toEqual([String(status)]);
    expect(text).toMatch(/^Content-Type: application\/json\r$/m);
    expect(text).toMatch(/^X-Error-Code: [a-z_]+\r$/m);
    expect(text).toMatch(/^X-Request-Id: request-\d\r$/m);
    expect(/^Allow: .+\r$/m.test(text)).toBe(status === 405);
    expect(JSON.parse(text.slice(text.indexOf('\r\n\r\n')))).toEqual({
      success: false,
      response: expect.stringMatching(/^Request failed\. /),
    });
  });
});

describe('one connection', () => {
  it('answers requests that came together, in their order', async () => {
    const { dial } = await listening();
    const socket = await dial();
    const paths = ['/healthz', '/getTokens', '/nowhere', '/readyz'];
    socket.write(paths.map((path) => get(path)).join(''));
    expect(statuses(await answersOf(socket, 4))).toEqual(['200', '401', '404', '200']);
  });

  it('continues after a refusal', async () => {
    const { dial } = await listening();
    const socket = await dial();
    for (const status of ['401', '401', '401']) {
      socket.write(get('/getTokens'));
      expect(statuses(await answersOf(socket, 1))).toEqual([status]);
    }
  });
});

describe('draining', () => {
  it('closes silent and idle connections at once', async () => {
    const { drain, dial } = await listening();
    const [silent, idle] = [await dial(), await dial()];
    idle.write(get('/healthz'));
    await answersOf(idle, 1);
    drain();
    await Promise.all([silent, idle].map(gone));
  });

  it('closes connections whose request does not come whole in the given time', async () => {
    const { drain, dial } = await listening();
    const [ofBody, ofHead] = [await dial(), await dial()];
    ofBody.write(post('/readNotifications', '{', 'Content-Length: 2'));
    ofHead.write('GET /healthz HTTP/1.1\r\nHost: ');
    const idle = await dial();
    idle.write(get('/healthz'));
    await answersOf(idle, 1);
    drain(1);
    await Promise.all([ofBody, ofHead].map(gone));
  });

  it('finishes running requests, and announces the close', async () => {
    let finish = (): void => undefined;
    let begin = (): void => undefined;
    const begun = new Promise<void>((resolve) => (begin = resolve));
    const finished = new Promise<void>((resolve) => (finish = resolve));
    const { drain, dial, server } = await listening(
      {},
      { readNotifications: () => (begin(), finished.then(() => 0)) },
    );
    const closed = once(server, 'close');
    const socket = await dial();
    socket.write(post('/readNotifications', '{}', 'Content-Length: 2'));
    await begun;
    drain();
    finish();
    expect(await answersOf(socket, 1)).toMatch(/^HTTP\/1.1 200 [^]*\r\nConnection: close\r\n/);
    socket.end();
    await closed;
  });
});
