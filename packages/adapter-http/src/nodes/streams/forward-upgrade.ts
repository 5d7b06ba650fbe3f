import type { IncomingMessage } from 'node:http';
import type { Duplex, Readable, Writable } from 'node:stream';
import { clientAddress } from '../../requests/client-address.js';
import type { ForwardOptions } from '../forward.js';
import { LOOKED_FOR } from '../serving-node.js';
import { requestHeaders } from '../forward-page.js';
import { NotTaken, type Peer } from '../peer.js';
import { byTurns } from './by-turns.js';

export const UNAVAILABLE =
  'HTTP/1.1 503 Service Unavailable\r\nContent-Length: 0\r\nConnection: close\r\n\r\n';

/** The start of the client's request, as it is sent. */
const startOf = (request: IncomingMessage): string => {
  const headers = requestHeaders(request);
  return [
    `${request.method} ${request.url} HTTP/1.1`,
    ...headers.flatMap((name, at) => (at % 2 === 0 ? `${name}: ${headers[at + 1]}` : [])),
    ...['Connection: Upgrade', 'Upgrade: websocket', '\r\n'],
  ].join('\r\n');
};

/** Connects the client of a stream with the node that serves, until one of them ends or another node serves. */
export async function forwardUpgrade(
  { serving }: Pick<ForwardOptions, 'serving'>,
  request: IncomingMessage,
  socket: Duplex,
  head: Buffer,
): Promise<void> {
  socket.on('error', () => socket.destroy());
  const arrivedAt = serving.host.now();
  for (;;) {
    const peer = await serving.find(LOOKED_FOR - (serving.host.now() - arrivedAt));
    if (!peer) {
      socket.end(UNAVAILABLE);
      return;
    }
    if (socket.destroyed || (await isConnected(peer, request, socket, head))) return;
    serving.left(peer);
  }
}

/** Resolves with false when the other node does not serve. */
const isConnected = (
  peer: Peer,
  request: IncomingMessage,
  socket: Duplex,
  head: Buffer,
): Promise<boolean> =>
  new Promise((resolve) => {
    const channel = peer.connect(clientAddress(request));
    channel.write(startOf(request), 'latin1');
    channel.once('error', (error) => {
      const isTaken = !(error instanceof NotTaken);
      // The other node has ended: its client begins anew.
      if (isTaken) socket.destroy();
      resolve(isTaken);
    });
    channel.once('readable', () => {
      resolve(true);
      if (socket.destroyed) channel.destroy();
      if (head.length > 0) channel.write(head);
      pipeByTurns(channel, socket);
      socket.pipe(channel);
      socket.on('close', () => channel.destroy());
      channel.on('close', () => socket.destroy());
    });
  });

/** As `pipe`, but all that comes in one turn of the event loop leaves in one system call. */
function pipeByTurns(from: Readable, to: Writable): void {
  from.on('data', (bytes: Buffer) => {
    byTurns(to);
    if (to.write(bytes)) return;
    from.pause();
    to.once('drain', () => from.resume());
  });
  from.on('end', () => to.end());
}
