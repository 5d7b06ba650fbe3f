import type { IncomingMessage, ServerResponse } from 'node:http';
import { pipeline } from 'node:stream';
import { TransportFailure } from '../answers/failures.js';
import { tellDelivery } from '../requests/alert-delivery.js';
import { readBytes } from '../requests/body.js';
import { isAlert, operationAt } from '../operations/operation-service.js';
import { type Passport, type Passports } from './passport.js';
import { NOT_SERVING, type Peer, type ServingNode } from './serving-node.js';
import { type WasDone, afterUnknown } from './unknown-outcome.js';
import { answerHeaders, requestAt, requestHeaders } from './hop.js';

/** The longest body of any operation, in bytes. */
const MOST_BYTES = 1024 * 1024;
/** For how long a request waits for a node that serves, in milliseconds. */
export const PATIENCE = 2_500;

/** What a node needs to forward requests. */
export interface ForwardOptions {
  readonly serving: ServingNode;
  readonly passports: Passports;
  readonly wasDone: WasDone;
  /** The client's address. */
  readonly addressOf: (request: IncomingMessage) => string;
}

/** The other node answered; did not take the request, and did nothing; or nobody knows what it did. */
type Outcome = 'answered' | 'not taken' | 'unknown';

const unavailable = (sentence: string): TransportFailure =>
  new TransportFailure(503, 'unavailable', sentence, { 'Retry-After': '1' });

/**
 * Lets the node that serves answer the request. When that one ends before it answers, the database may know whether it did the
 * request. If nobody knows, the connection is cut: no answer is better than a wrong one.
 */
export async function forward(
  options: ForwardOptions,
  request: IncomingMessage,
  response: ServerResponse,
  requestId: string,
): Promise<void> {
  let arrivedAt = performance.now();
  const waited = (): number => performance.now() - arrivedAt;
  const body = await readBytes(request, MOST_BYTES);
  // To destroy a complete request leaves its connection open.
  const cut = (): void => void request.socket.destroy();
  /** Whether a node that ended may have done it. */
  let isInDoubt = false;
  for (;;) {
    const peer = await options.serving.find(PATIENCE - waited());
    if (!peer && isInDoubt) return cut();
    if (!peer) throw unavailable('no node serves now, nothing was done');
    const sent = { request, response, requestId, body, waited, isInDoubt };
    const outcome = await send(options, peer, sent);
    if (outcome === 'answered') return;
    options.serving.left(peer);
    if (outcome === 'not taken') continue;
    // A request that ends every node that it reaches must not reach all of them.
    const next = isInDoubt
      ? 'cut'
      : await afterUnknown(options.wasDone, peer.id, request, requestId);
    if (next === 'cut') return cut();
    if (next === 'refuse') throw unavailable('the node that served has ended, nothing was done');
    isInDoubt = true;
    arrivedAt = performance.now();
  }
}

interface Sent {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly requestId: string;
  readonly body: Buffer;
  readonly waited: () => number;
  readonly isInDoubt: boolean;
}

function send(
  { passports, serving: { news }, addressOf }: ForwardOptions,
  peer: Peer,
  { request, response, requestId, body, waited, isInDoubt }: Sent,
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
      // It would say that nothing was done.
      if (isInDoubt && (answer.statusCode ?? 500) >= 500) {
        answer.resume();
        resolve('unknown');
        return;
      }
      const operation = operationAt((request.url ?? '').split('?')[0] ?? '');
      if (operation && isAlert(operation) && answer.statusCode === 200)
        tellDelivery(news.deliveries, request, response, requestId);
      response.writeHead(answer.statusCode ?? 500, answerHeaders(answer));
      pipeline(answer, response, () => resolve('answered'));
    });
    passed.end(body);
  });
}
