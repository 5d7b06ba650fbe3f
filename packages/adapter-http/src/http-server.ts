import { randomUUID } from 'node:crypto';
import { type IncomingMessage, type Server, type ServerResponse, createServer } from 'node:http';
import type { Duplex } from 'node:stream';
import { envelope } from '@slipstream/wire';
import type { Express, Request } from 'express';
import { fastPrototypes } from './fast-prototypes.js';

const SECOND = 1000;
/** Connections of all kinds, live streams among them; further ones are dropped. */
const MAX_CONNECTIONS = 20_000;

/** A server with bounds on slow and malformed clients; what is no HTTP is answered with the envelope too. */
export function httpServer(app: Express): Server {
  const serve = (request: IncomingMessage, response: ServerResponse): void => {
    if (!request.url?.startsWith('/')) request.url = pathOf(request.url ?? '');
    app(request, response);
  };
  const server = createServer(
    {
      requestTimeout: 15 * SECOND,
      headersTimeout: 10 * SECOND,
      maxHeaderSize: 16 * 1024,
      // The listener refuses it: what Node answers by itself is no envelope.
      requireHostHeader: false,
      ...fastPrototypes(app),
    },
    serve,
  );
  server.maxConnections = MAX_CONNECTIONS;
  // Expectations that nobody knows are passed over, where Node would answer 417 by itself.
  server.on('checkExpectation', serve);
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Duplex) => {
    if (error.code === 'ECONNRESET' || !socket.writable) {
      socket.destroy();
      return;
    }
    const body = envelope(false, 'Request failed. The request is not valid HTTP or took too long.');
    socket.end(
      [
        'HTTP/1.1 400 Bad Request',
        'Content-Type: application/json',
        `Content-Length: ${Buffer.byteLength(body)}`,
        'X-Error-Code: invalid_request',
        `X-Request-Id: ${randomUUID()}`,
        'Connection: close',
        '',
        body,
      ].join('\r\n'),
    );
  });
  return server;
}

/** The client's address as trusted proxies tell it; of any request that `httpServer` got, upgrades too. */
export const clientAddress = (request: IncomingMessage): string =>
  (request as Request).ip ?? 'unknown';

/** Path and query of an absolute target: express answers hosts that it cannot parse by itself, with HTML. */
const pathOf = (target: string): string =>
  `/${target.replace(/^[a-z][a-z\d+.-]*:\/\/[^/?]*\/?/i, '')}`;
