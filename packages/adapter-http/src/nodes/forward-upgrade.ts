import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { type ForwardOptions, PATIENCE } from './forward.js';
import { answerHeaders, requestAt, requestHeaders } from './hop.js';
import { NOT_SERVING, type Peer } from './serving-node.js';

const UNAVAILABLE =
  'HTTP/1.1 503 Service Unavailable\r\nContent-Length: 0\r\nConnection: close\r\n\r\n';

/** The start of an answer, as it is sent. */
const startOf = ({ statusCode, statusMessage }: IncomingMessage, headers: readonly string[]) =>
  [
    `HTTP/1.1 ${statusCode} ${statusMessage}`,
    ...headers.flatMap((name, at) => (at % 2 === 0 ? `${name}: ${headers[at + 1]}` : [])),
    '\r\n',
  ].join('\r\n');

/** Connects the client of a stream with the node that serves, until one of them ends or another node serves. */
export async function forwardUpgrade(
  options: ForwardOptions,
  request: IncomingMessage,
  socket: Duplex,
  head: Buffer,
): Promise<void> {
  socket.on('error', () => socket.destroy());
  const arrivedAt = performance.now();
  for (;;) {
    const waited = performance.now() - arrivedAt;
    const peer = await options.serving.find(PATIENCE - waited);
    if (!peer) {
      socket.end(UNAVAILABLE);
      return;
    }
    if (await isConnected(options, peer, request, socket, head, waited)) return;
    options.serving.left(peer);
  }
}

/** Resolves with false when the other node does not serve. */
const isConnected = (
  { passports, addressOf }: ForwardOptions,
  peer: Peer,
  request: IncomingMessage,
  socket: Duplex,
  head: Buffer,
  waited: number,
): Promise<boolean> =>
  new Promise((resolve) => {
    const passport = { requestId: 'stream', address: addressOf(request), waited, news: [] };
    const passed = requestAt(peer, request, {
      agent: false,
      headers: [
        ...requestHeaders(request, passports.issue(passport, request)),
        ...['Connection', 'Upgrade', 'Upgrade', 'websocket'],
      ],
    });
    passed.on('error', () => resolve(false));
    passed.on('upgrade', (answer, link, first) => {
      peer.tunnels.add(link);
      socket.write(startOf(answer, answer.rawHeaders));
      if (first.length > 0) socket.write(first);
      if (head.length > 0) link.write(head);
      link.pipe(socket).pipe(link);
      link.on('error', () => link.destroy());
      socket.on('close', () => link.destroy());
      link.on('close', () => {
        peer.tunnels.delete(link);
        socket.destroy();
      });
      resolve(true);
    });
    passed.on('response', (answer) => {
      if (answer.statusCode === NOT_SERVING) {
        answer.resume();
        resolve(false);
        return;
      }
      socket.write(startOf(answer, [...answerHeaders(answer), 'Connection', 'close']));
      answer.pipe(socket);
      resolve(true);
    });
    passed.end();
  });
