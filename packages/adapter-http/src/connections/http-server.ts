import { randomUUID } from 'node:crypto';
import { type IncomingMessage, type Server, type ServerResponse, createServer } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { SECOND } from '@slipstream/domain';
import { envelope } from '@slipstream/wire';
import type { Express } from 'express';
import {
  type ConnectionLimits,
  DEFAULT_CONNECTION_LIMITS,
  type Dropped,
  guardConnections,
} from './connection-guard.js';
import { stablePrototypes } from './stable-prototypes.js';
import { endAfterUnreadBody } from './unread-body.js';

/** A client that reads nothing of its answer, or not all of it, for this long is disconnected. */
const WRITE_TIMEOUT = 30 * SECOND;

/**
 * A proxy gives its idle connections up first: nginx after 60 s, Caddy after 120, those of clouds after 600. Where the server did, the
 * next request could already be on its way, and a proxy does not send a POST twice: the sender would get 502.
 */
const KEPT_FOR_PROXY = 620 * SECOND;
/** A refused client has this long to read the reason. */
const FAREWELL = SECOND;

/** Which upgrades are taken over, and the limits of connections. */
export interface HttpServerOptions {
  /** The upgrades that are accepted; a request for any other is answered without it. Default: none. */
  readonly upgrades?: (request: IncomingMessage) => boolean;
  readonly limits?: Partial<ConnectionLimits>;
  /** Whether all connections come from a proxy, which keeps idle ones for later requests. Default: no. */
  readonly isBehindProxy?: boolean;
  /** Makes the ids of requests that never reach the app; random ones by default. */
  readonly newId?: () => string;
  /** Called for every connection that is refused or closed. */
  readonly dropped?: Dropped;
}

/** Node's server with a graceful end. */
export interface HttpServer {
  readonly server: Server;
  /**
   * Accepts no more connections, closes idle ones and adds `Connection: close` to every further answer. After `patience`
   * milliseconds it cuts requests that have not come whole: nothing of them was done.
   */
  drain(patience?: number): void;
}

/** A server with bounds on slow, silent and malformed clients; data that is not HTTP also gets an answer with the envelope. */
export function httpServer(app: Express, options: HttpServerOptions = {}): HttpServer {
  const { upgrades = () => false, dropped = () => undefined, newId = randomUUID } = options;
  const unanswered = new Set<ServerResponse>();
  /** Connections of requests. */
  const open = new Set<Duplex>();
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
      ...(options.isBehindProxy === true && { keepAliveTimeout: KEPT_FOR_PROXY }),
      maxHeaderSize: 16 * 1024,
      // The listener refuses it, because Node's own answer is not an envelope.
      requireHostHeader: false,
      ...stablePrototypes(app, upgrades, endAfterUnreadBody),
    },
    serve,
  );
  server.setTimeout(WRITE_TIMEOUT, (socket) => {
    // Also the end of a connection that was kept for another request: its client took every answer.
    const isIdle = socket.bytesWritten > 0 && socket.writableLength === 0 && !lastOn(socket);
    if (!isIdle) dropped('unread', socket.remoteAddress ?? 'unknown');
    socket.destroy();
  });
  const limits = { ...DEFAULT_CONNECTION_LIMITS, ...options.limits };
  const guard = guardConnections(server, limits, dropped);
  // Unknown expectations are ignored, where Node would answer 417.
  server.on('checkExpectation', serve);
  server.on('connection', (socket: Socket) => {
    open.add(socket);
    socket.once('close', () => open.delete(socket));
  });
  server.prependListener('upgrade', ({ socket }: IncomingMessage) => {
    guard.heard(socket);
    open.delete(socket);
  });
  // A tunnel: without a listener Node closes the connection silently.
  server.on('connect', ({ socket }: IncomingMessage) => {
    guard.heard(socket);
    afterAnswers(socket, () => turnAway(socket, newId(), NO_TUNNEL));
  });
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Duplex) => {
    if (error.code === 'ECONNRESET' || !socket.writable) {
      socket.destroy();
      return;
    }
    const isLate = error.code === 'ERR_HTTP_REQUEST_TIMEOUT';
    dropped(isLate ? 'timeout' : 'malformed', addressOf(socket));
    afterAnswers(socket, () => turnAway(socket, newId(), NO_HTTP));
  });
  /**
   * Complete requests before the malformed data are still running, and their answers come first: an accepted order must not
   * look refused.
   */
  const afterAnswers = (socket: Duplex, farewell: () => void): void => {
    const atWork = lastOn(socket);
    if (atWork) atWork.once('close', () => socket.writable && farewell());
    else farewell();
  };
  const lastOn = (socket: Duplex): ServerResponse | undefined =>
    [...unanswered].filter(({ req }) => req.socket === socket && req.complete).at(-1);
  return {
    server,
    drain(patience) {
      draining = true;
      for (const response of unanswered)
        if (!response.headersSent) response.setHeader('Connection', 'close');
      server.close();
      server.closeIdleConnections();
      guard.closeSilent();
      if (patience === undefined) return;
      setTimeout(() => {
        for (const socket of open) if (!lastOn(socket)) socket.destroy();
      }, patience).unref();
    },
  };
}

interface Farewell {
  readonly status: string;
  readonly code: string;
  readonly says: string;
  /** Those that the status needs. */
  readonly headers: readonly string[];
}

const NO_HTTP: Farewell = {
  status: '400 Bad Request',
  code: 'invalid_request',
  says: 'Request failed. The request is not valid HTTP or took too long.',
  headers: [],
};
/** A refused method like any other (contract 1, "Failures"): no other code than those of the contract occurs. */
const NO_TUNNEL: Farewell = {
  status: '405 Method Not Allowed',
  code: 'method_not_allowed',
  says: 'Request failed. This is no proxy: CONNECT is not served.',
  headers: ['Allow: GET, HEAD, POST, OPTIONS'],
};

/** Sends the reason and closes the connection, whether the client reads it or not. */
function turnAway(
  socket: Duplex,
  requestId: string,
  { status, code, says, headers }: Farewell,
): void {
  const body = envelope(false, says);
  socket.end(
    [
      `HTTP/1.1 ${status}`,
      'Content-Type: application/json',
      `Content-Length: ${Buffer.byteLength(body)}`,
      ...headers,
      `X-Error-Code: ${code}`,
      `X-Request-Id: ${requestId}`,
      'Connection: close',
      '',
      body,
    ].join('\r\n'),
  );
  release(socket);
}

/** Destroys an ended socket, because its client may never close its own side. */
export function release(socket: Duplex): void {
  const timer = setTimeout(() => socket.destroy(), FAREWELL).unref();
  socket.once('close', () => clearTimeout(timer));
  socket.resume();
}

/** Disconnects a client that reads its answer too slowly, because an unread answer stays in memory. */
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

/** Path and query of an absolute target: express itself answers hosts that it cannot parse, with HTML. */
const pathOf = (target: string): string =>
  `/${target.replace(/^[a-z][a-z\d+.-]*:\/\/[^/?]*\/?/i, '')}`;
