import { type RequestListener, type Server, createServer } from 'node:http';
import type { Duplex } from 'node:stream';
import { envelope } from '@slipstream/wire';

const SECOND = 1000;

/** A server with bounds on slow and malformed clients; what is no HTTP is answered with the envelope too. */
export function httpServer(listener: RequestListener): Server {
  const server = createServer(
    { requestTimeout: 15 * SECOND, headersTimeout: 10 * SECOND, maxHeaderSize: 16 * 1024 },
    listener,
  );
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
        'Connection: close',
        '',
        body,
      ].join('\r\n'),
    );
  });
  return server;
}
