import type { IncomingMessage } from 'node:http';
import type { Group } from '@slipstream/wire';
import { isAlert, operationAt } from '../operations/operation-service.js';
import type { NodeAddress } from './peer.js';
import { LOOKED_FOR, type ServingNode } from './serving-node.js';

/**
 * Whether the node did something for a request, once that node has ended or nothing of the request is under way there; undefined
 * while it may still do it.
 */
export type WasDone = (
  node: string,
  requestId: string,
  isSettled: () => boolean,
) => Promise<boolean | undefined>;

/** Operations that do nothing but what they commit, so that the database knows whether they were done. */
const COMMITTED: ReadonlySet<Group> = new Set<Group>(['Trades', 'Webhooks']);

/** What comes of it: the next node answers it, it waits on as if it was never sent, it is refused because nothing was done, or nobody answers. */
export type Afterwards = 'again' | 'wait on' | 'refuse' | 'cut';

/**
 * Whether the answer to a change that is asked again does not tell whether the node before did it: a failure, and what was refused
 * before its key was looked for, because of how many there were, or by a token that ended with it.
 */
export const leavesInDoubt = (status: number): boolean =>
  status >= 500 || status === 401 || status === 429;

/** How a node learns what another one did. */
export interface Askable {
  readonly serving: Pick<ServingNode, 'settled'>;
  readonly wasDone: WasDone;
}

/**
 * What to do with a request when the node that had it ended before it answered, or the link with it did. Reads and requests with an
 * Idempotency-Key are asked again; so is an alert that was done, because whoever serves takes it for a resend and knows the answer.
 */
export async function afterUnknown(
  { serving, wasDone }: Askable,
  node: NodeAddress,
  { method, url = '', headers }: Pick<IncomingMessage, 'method' | 'url' | 'headers'>,
  requestId: string,
): Promise<Afterwards> {
  if (method === 'GET' || method === 'HEAD') return 'again';
  const operation = operationAt(url.split('?')[0] ?? '');
  if (!operation) return 'cut';
  if (operation.takesIdempotencyKey && headers['idempotency-key'] !== undefined) return 'again';
  if (!COMMITTED.has(operation.group)) return 'cut';
  let isSettled = false;
  void serving.settled(node, requestId, LOOKED_FOR).then((is) => (isSettled = is));
  const isDone = await wasDone(node.id, requestId, () => isSettled);
  if (isDone === undefined) return 'cut';
  if (isDone) return isAlert(operation) ? 'again' : 'cut';
  return isSettled ? 'wait on' : 'refuse';
}
