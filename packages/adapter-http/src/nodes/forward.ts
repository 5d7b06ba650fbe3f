import type { IncomingMessage } from 'node:http';
import { pipeline } from 'node:stream';
import type { Response } from 'express';
import { setFixedHeaders } from '../answers/fixed-headers.js';
import { TransportFailure } from '../answers/failures.js';
import { sendAnswer } from '../answers/plain-answer.js';
import { isAlert, operationAt } from '../operations/operation-service.js';
import { tellDelivery } from '../requests/alert-delivery.js';
import { readStart } from '../requests/body.js';
import { type PlainRequest, pathOf, plainRequest } from '../requests/plain-request.js';
import { forwardPage } from './forward-page.js';
import type { LocalService } from './link-server.js';
import type { NoAnswer, Peer } from './peer.js';
import type { Sent } from './sent-request.js';
import { LOOKED_FOR, type ServingNode } from './serving-node.js';
import { type Askable, afterUnknown, leavesInDoubt } from './unknown-outcome.js';

/** The longest body of any operation, in bytes. */
const MOST_BYTES = 1024 * 1024;

/** What a node needs to forward requests. */
export interface ForwardOptions extends Askable {
  /** What this node serves; undefined unless it owns the database for certain. */
  readonly local: () => LocalService | undefined;
  readonly serving: ServingNode;
}

const unavailable = (sentence: string): TransportFailure =>
  new TransportFailure(503, 'unavailable', sentence, { 'Retry-After': '1' });

/**
 * Lets the node that serves answer the request. When that one or the link with it ends before it answers, the database may know
 * whether it did the request. If nobody knows, the connection is cut: no answer is better than a wrong one. A read does nothing, so it
 * is never in doubt: it gets what the next node answers, or is refused.
 */
export async function forward(
  options: ForwardOptions,
  request: IncomingMessage,
  response: Response,
  requestId: string,
): Promise<void> {
  const { host } = options.serving;
  let arrivedAt = host.now();
  const waited = (): number => host.now() - arrivedAt;
  const plain = operationAt(pathOf({ target: request.url ?? '/' })) && plainRequest(request);
  // The node that serves decides what a larger one is refused for.
  const body = await readStart(request, MOST_BYTES);
  const isRead = request.method === 'GET' || request.method === 'HEAD';
  // To destroy a complete request leaves its connection open.
  const cut = (): void => void request.socket.destroy();
  let [wasLost, isInDoubt] = [false, false];
  for (;;) {
    const peer = await options.serving.find(LOOKED_FOR - waited());
    // Nobody waits for an answer any more, and its sender may have sent it again.
    if (response.destroyed) return;
    if (!peer && isInDoubt) return cut();
    if (!peer) throw unavailable('no node serves now, nothing was done');
    const sent = { request, response, requestId, body, waited: waited(), isInDoubt };
    const outcome = plain
      ? await forwardOperation(options, peer, plain, sent)
      : await forwardPage(peer, sent);
    if (outcome === 'answered') return;
    options.serving.left(peer);
    if (outcome === 'not taken') continue;
    // A request that ends every node that it reaches must not reach all of them.
    const atLast = isRead ? 'refuse' : 'cut';
    const next = wasLost ? atLast : await afterUnknown(options, peer, request, requestId);
    wasLost = true;
    if (next === 'cut') return cut();
    if (next === 'refuse') throw unavailable('the node that served has ended, nothing was done');
    // Its sender may have given up and sent it again.
    if (next === 'wait on' && waited() > LOOKED_FOR)
      throw unavailable('the node that serves did not get it, nothing was done');
    if (next === 'wait on') continue;
    isInDoubt = !isRead;
    arrivedAt = host.now();
  }
}

async function forwardOperation(
  { serving: { news }, local }: ForwardOptions,
  peer: Peer,
  { method, target, headers, address }: PlainRequest,
  { request, response, requestId, body, waited, isInDoubt }: Sent,
): Promise<'answered' | NoAnswer> {
  const isAgain = isInDoubt;
  const linked = { method, target, headers, address, requestId, waited, isAgain };
  const answer = await peer.ask(linked, body);
  if (typeof answer === 'string') return answer;
  const { status, headers: ofAnswer, body: answered } = answer;
  if (isInDoubt && leavesInDoubt(status)) return 'unknown';
  const operation = operationAt(pathOf({ target }));
  if (operation && isAlert(operation) && status === 200)
    tellDelivery(
      {
        // This node may have begun to serve since it asked: then nobody else must hear of it.
        alertAnswered: (delivery) => (local() ?? news).deliveries.alertAnswered(delivery),
        alertLost: (delivery) => (local() ?? news).deliveries.alertLost(delivery),
      },
      ...([request, response, requestId] as const),
    );
  setFixedHeaders(response, requestId);
  if (Buffer.isBuffer(answered)) {
    // As text it leaves with the headers in one write.
    sendAnswer(response, { status, headers: ofAnswer, body: answered.toString() });
    return 'answered';
  }
  for (const [name, value] of Object.entries(ofAnswer)) response.setHeader(name, value);
  response.statusCode = status;
  return new Promise((resolve) => pipeline(answered, response, () => resolve('answered')));
}
