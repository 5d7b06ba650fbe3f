import type { IncomingMessage } from 'node:http';
import type { Group } from '@slipstream/wire';
import { isAlert, operationAt } from '../operations/operation-service.js';

/** Whether the node did something for a request, once that node has ended; undefined while it may still do it. */
export type WasDone = (node: string, requestId: string) => Promise<boolean | undefined>;

/** Operations that do nothing but what they commit, so that the database knows whether they were done. */
const COMMITTED: ReadonlySet<Group> = new Set<Group>(['Trades', 'Webhooks']);

/** What comes of it: the next node answers it, it is refused because nothing was done, or nobody answers. */
export type Afterwards = 'again' | 'refuse' | 'cut';

/**
 * What to do with a request when the node that had it ended before it answered. Reads and requests with an Idempotency-Key
 * are asked again; so is an alert that was done, because the next node takes it for a resend and knows the answer.
 */
export async function afterUnknown(
  wasDone: WasDone,
  node: string,
  { method, url = '', headers }: Pick<IncomingMessage, 'method' | 'url' | 'headers'>,
  requestId: string,
): Promise<Afterwards> {
  if (method === 'GET' || method === 'HEAD') return 'again';
  const operation = operationAt(url.split('?')[0] ?? '');
  if (!operation) return 'cut';
  if (operation.takesIdempotencyKey && headers['idempotency-key'] !== undefined) return 'again';
  if (!COMMITTED.has(operation.group)) return 'cut';
  const isDone = await wasDone(node, requestId);
  if (isDone === undefined) return 'cut';
  if (!isDone) return 'refuse';
  return isAlert(operation) ? 'again' : 'cut';
}
