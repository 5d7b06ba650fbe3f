import type { IncomingMessage } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { WebSocket } from 'ws';
import { LinkClosed } from '../../link/channel.js';
import { clientAddress } from '../../requests/client-address.js';
import { requestHeaders } from '../forward-page.js';
import type { Peer } from '../peer.js';

/** How long a close frame may take before the socket is torn down, in milliseconds. */
export const CLOSING_TIME = 300;

/** A stream of a client at the node that serves, which that node opened or refused; or it does not serve. */
export type Opened =
  | {
      readonly kind: 'open';
      readonly socket: WebSocket;
      readonly peer: Peer;
      /** As the other node calls the client's request. */
      readonly requestId: string;
      /** Whether it ended because the other node, or the way to it, is gone. */
      isLost(): boolean;
    }
  | { readonly kind: 'refused'; readonly status: number; readonly answer: Buffer }
  | { readonly kind: 'not taken' };

/** Opens it as the client asked for it; with `token` if it has given another one since. */
export function openUpstream(
  peer: Peer,
  request: IncomingMessage,
  token?: string,
): Promise<Opened> {
  return new Promise((resolve) => {
    const channel = peer.connect(clientAddress(request));
    let isLost = false;
    channel.once('error', (error) => (isLost = error instanceof LinkClosed));
    const socket = new WebSocket('ws://node/ws', {
      ...{ createConnection: () => channel, headers: headersOf(request, token) },
      // What comes has been checked by the other node, and its pings are the client's to answer.
      ...{ perMessageDeflate: false, autoPong: false, skipUTF8Validation: true, maxPayload: 0 },
      ...{ closeTimeout: CLOSING_TIME },
    });
    let requestId = '';
    socket.on('error', () => undefined);
    socket.once('upgrade', ({ headers }) => (requestId = String(headers['x-request-id'])));
    socket.once('open', () =>
      resolve({ kind: 'open', socket, peer, requestId, isLost: () => isLost }),
    );
    socket.once('unexpected-response', (_, answer) => {
      void wholeAnswer(answer)
        .then((whole) =>
          resolve({ kind: 'refused', status: answer.statusCode ?? 503, answer: whole }),
        )
        .catch(() => resolve({ kind: 'not taken' }))
        .finally(() => channel.destroy());
    });
    socket.once('close', () => resolve({ kind: 'not taken' }));
  });
}

/** The client's headers, but for those of its own WebSocket. */
function headersOf(request: IncomingMessage, token: string | undefined): Record<string, string[]> {
  const headers: Record<string, string[]> = {};
  const raw = requestHeaders(request);
  for (let at = 0; at < raw.length; at += 2) {
    const name = (raw[at] ?? '').toLowerCase();
    if (!name.startsWith('sec-websocket-')) (headers[name] ??= []).push(raw[at + 1] ?? '');
  }
  return token === undefined ? headers : { ...headers, authorization: [`Bearer ${token}`] };
}

/** The answer as it came, to be sent as it is. */
async function wholeAnswer(answer: IncomingMessage): Promise<Buffer> {
  const body = await buffer(answer);
  const { statusCode, statusMessage, rawHeaders } = answer;
  const head = [
    `HTTP/1.1 ${statusCode} ${statusMessage}`,
    ...rawHeaders.flatMap((name, at) => (at % 2 === 0 ? `${name}: ${rawHeaders[at + 1]}` : [])),
    '\r\n',
  ].join('\r\n');
  return Buffer.concat([Buffer.from(head, 'latin1'), body]);
}
