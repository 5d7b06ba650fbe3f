import { randomUUID } from 'node:crypto';
import { type IncomingMessage, type Server, type ServerResponse, createServer } from 'node:http';
import type { Duplex } from 'node:stream';
import { envelope } from '@slipstream/wire';
import type { Express, Request } from 'express';
import {
  type ConnectionLimits,
  DEFAULT_CONNECTION_LIMITS,
  type Dropped,
  guardConnections,
} from './connection-guard.js';
import { stablePrototypes } from './stable-prototypes.js';

const SECOND = 1000;
/** A client that takes nothing of its answer for so long, or not all of it, is cut off. */
const WRITE_TIMEOUT = 30 * SECOND;
/** A client that is turned away may take so long to read why. */
const FAREWELL = SECOND;

/** Which upgrades are taken over, and the limits of connections. */
export interface HttpServerOptions {
  /** Upgrades that somebody takes over; a request that asks for any other is answered without. None unless told. */
  readonly upgrades?: (request: IncomingMessage) => boolean;
  readonly limits?: Partial<ConnectionLimits>;
  /** Told of every connection that is not taken or cut off. */
  readonly dropped?: Dropped;
}

/** Node's server, and its graceful end. */
export interface HttpServer {
  readonly server: Server;
  /** Accepts nothing more, closes what is idle and says `Connection: close` in every further answer. */
  drain(): void;
}

/** A server with bounds on slow, silent and malformed clients; what is no HTTP is answered with the envelope too. */
export function httpServer(app: Express, options: HttpServerOptions = {}): HttpServer {
  const { upgrades = () => false, dropped = () => undefined } = options;
  const unanswered = new Set<ServerResponse>();
  let draining = false;

  const serve = (request: IncomingMessage, response: ServerResponse): void => {
    if (!request.url?.startsWith('/')) request.url = pathOf(request.url ?? '');
    guard.heard(request.socket);
    unanswered.add(response);
    if (draining) response.setHeader('Connection', 'close');
    response.once('prefinish', () => limitWriting(response, dropped));
    response.once('close', () => {
      unanswered.delete(response);
      if (draining) server.closeIdleConnections();
    });
    app(request, response);
  };
  const server = createServer(
    {
      requestTimeout: 15 * SECOND,
      headersTimeout: 10 * SECOND,
      connectionsCheckingInterval: 5 * SECOND,
      maxHeaderSize: 16 * 1024,
      // The listener refuses it: what Node answers by itself is no envelope.
      requireHostHeader: false,
      ...stablePrototypes(app, upgrades),
    },
    serve,
  );
  server.setTimeout(WRITE_TIMEOUT, (socket) => {
    dropped('unread', socket.remoteAddress ?? 'unknown');
    socket.destroy();
  });
  const limits = { ...DEFAULT_CONNECTION_LIMITS, ...options.limits };
  const guard = guardConnections(server, limits, dropped);
  // Expectations that nobody knows are passed over, where Node would answer 417 by itself.
  server.on('checkExpectation', serve);
  server.prependListener('upgrade', ({ socket }: IncomingMessage) => guard.heard(socket));
  // A tunnel: Node closes the connection of one that nobody takes over, without a word.
  server.on('connect', ({ socket }: IncomingMessage) => {
    guard.heard(socket);
    afterAnswers(socket, () => turnAway(socket, NO_TUNNEL));
  });
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Duplex) => {
    if (error.code === 'ECONNRESET' || !socket.writable) {
      socket.destroy();
      return;
    }
    const isLate = error.code === 'ERR_HTTP_REQUEST_TIMEOUT';
    dropped(isLate ? 'timeout' : 'malformed', addressOf(socket));
    afterAnswers(socket, () => turnAway(socket, NO_HTTP));
  });
  /** What came whole before the nonsense is at work, and its answer comes first: an order that was taken is not told to be refused. */
  const afterAnswers = (socket: Duplex, farewell: () => void): void => {
    const atWork = lastOn(socket);
    if (atWork) atWork.once('close', () => socket.writable && farewell());
    else farewell();
  };
  const lastOn = (socket: Duplex): ServerResponse | undefined =>
    [...unanswered].filter(({ req }) => req.socket === socket && req.complete).at(-1);
  return {
    server,
    drain() {
      draining = true;
      for (const response of unanswered)
        if (!response.headersSent) response.setHeader('Connection', 'close');
      server.close();
      server.closeIdleConnections();
      guard.closeSilent();
    },
  };
}

interface Farewell {
  readonly status: string;
  readonly says: string;
}

const NO_HTTP: Farewell = {
  status: '400 Bad Request',
  says: 'Request failed. The request is not valid HTTP or took too long.',
};
const NO_TUNNEL: Farewell = {
  status: '501 Not Implemented',
  says: 'Request failed. This is no proxy: CONNECT is not served.',
};

/** Says why in an answer, and closes the connection whether the client reads it or not. */
function turnAway(socket: Duplex, { status, says }: Farewell): void {
  const body = envelope(false, says);
  socket.end(
    [
      `HTTP/1.1 ${status}`,
      'Content-Type: application/json',
      `Content-Length: ${Buffer.byteLength(body)}`,
      'X-Error-Code: invalid_request',
      `X-Request-Id: ${randomUUID()}`,
      'Connection: close',
      '',
      body,
    ].join('\r\n'),
  );
  release(socket);
}

/** Destroys a socket that has been ended: its client may never close its own side. */
export function release(socket: Duplex): void {
  const timer = setTimeout(() => socket.destroy(), FAREWELL).unref();
  socket.once('close', () => clearTimeout(timer));
  socket.resume();
}

/** Cuts off a client that takes its answer too slowly: until it is taken, the answer is kept. */
function limitWriting(response: ServerResponse, dropped: Dropped): void {
  const { socket } = response;
  if (!socket || socket.writableLength === 0) return;
  const timer = setTimeout(() => {
    dropped('unread', addressOf(socket));
    socket.destroy();
  }, WRITE_TIMEOUT).unref();
  response.once('close', () => clearTimeout(timer));
}

const addressOf = (socket: Duplex): string =>
  ('remoteAddress' in socket && typeof socket.remoteAddress === 'string'
    ? socket.remoteAddress
    : undefined) ?? 'unknown';

/** The client's address as trusted proxies tell it; of any request that `httpServer` got, upgrades too. */
export const clientAddress = (request: IncomingMessage): string =>
  (request as Request).ip ?? 'unknown';

/** Path and query of an absolute target: express answers hosts that it cannot parse by itself, with HTML. */
const pathOf = (target: string): string =>
  `/${target.replace(/^[a-z][a-z\d+.-]*:\/\/[^/?]*\/?/i, '')}`;
