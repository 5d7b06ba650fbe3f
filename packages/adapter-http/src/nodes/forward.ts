import type { IncomingMessage, ServerResponse } from 'node:http';
import { pipeline } from 'node:stream';
import { TransportFailure } from '../answers/failures.js';
import { tellDelivery } from '../requests/alert-delivery.js';
import { readBytes } from '../requests/body.js';
import { isAlert, operationAt } from '../operations/operation-service.js';
import { type Passport, type Passports } from './passport.js';
import { NOT_SERVING, type Peer, type ServingNode } from './serving-node.js';
import { answerHeaders, requestAt, requestHeaders } from './hop.js';

/** The longest body of any operation, in bytes. */
const MOST_BYTES = 1024 * 1024;
/** For how long a request waits for a node that serves, in milliseconds. */
export const PATIENCE = 2_500;

/** What a node needs to forward requests. */
export interface ForwardOptions {
  readonly serving: ServingNode;
  readonly passports: Passports;
  /** The client's address. */
  readonly addressOf: (request: IncomingMessage) => string;
}

/** The other node answered; did not take the request, and did nothing; or nobody knows what it did. */
type Outcome = 'answered' | 'not taken' | 'unknown';

/**
 * Lets the node that serves answer the request. If nobody knows whether that one did it, the connection is cut: no answer is
 * better than a wrong one.
 */
export async function forward(
  options: ForwardOptions,
  request: IncomingMessage,
  response: ServerResponse,
  requestId: string,
): Promise<void> {
  const arrivedAt = performance.now();
  const waited = (): number => performance.now() - arrivedAt;
  const body = await readBytes(request, MOST_BYTES);
  for (;;) {
    const peer = await options.serving.find(PATIENCE - waited());
    if (!peer)
      throw new TransportFailure(503, 'unavailable', 'no node serves now, nothing was done', {
        'Retry-After': '1',
      });
    const outcome = await send(options, peer, { request, response, requestId, body, waited });
    if (outcome === 'answered') return;
    options.serving.left(peer);
    const isRead = request.method === 'GET' || request.method === 'HEAD';
    if (outcome === 'unknown' && !isRead) {
      // To destroy a complete request leaves its connection open.
      request.socket.destroy();
      return;
    }
  }
}

interface Sent {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly requestId: string;
  readonly body: Buffer;
  readonly waited: () => number;
}

function send(
  { passports, serving: { news }, addressOf }: ForwardOptions,
  peer: Peer,
  { request, response, requestId, body, waited }: Sent,
): Promise<Outcome> {
  const told = news.some();
  const passport: Passport = {
    ...{ requestId, address: addressOf(request), news: told },
    waited: waited(),
  };
  return new Promise((resolve) => {
    let isSent = false;
    const passed = requestAt(peer, request, {
      agent: peer.agent,
      headers: [
        ...requestHeaders(request, passports.issue(passport, request)),
        ...(body.length > 0 || request.method === 'POST'
          ? ['Content-Length', String(body.length)]
          : []),
      ],
    });
    passed.on('socket', (socket) => {
      if (socket.connecting) socket.once('connect', () => (isSent = true));
      else isSent = true;
    });
    passed.on('error', () => resolve(isSent ? 'unknown' : 'not taken'));
    passed.on('response', (answer) => {
      if (answer.statusCode === NOT_SERVING) {
        answer.resume();
        resolve('not taken');
        return;
      }
      news.heard(told);
      const operation = operationAt((request.url ?? '').split('?')[0] ?? '');
      if (operation && isAlert(operation) && answer.statusCode === 200)
        tellDelivery(news.deliveries, request, response, requestId);
      response.writeHead(answer.statusCode ?? 500, answerHeaders(answer));
      pipeline(answer, response, () => resolve('answered'));
    });
    passed.end(body);
  });
}
