import type { Caller, UserCaller } from '@slipstream/application';
import { Refusal } from '@slipstream/domain';
import { IDEMPOTENCY_KEY, type Operation } from '@slipstream/wire';
import type { PlainRequest } from './plain-request.js';

/** The key of a POST that may be repeated; undefined if none was sent or the operation takes none. */
export function idempotencyKey(
  operation: Pick<Operation, 'takesIdempotencyKey'>,
  { headers }: Pick<PlainRequest, 'headers'>,
): string | undefined {
  const key = headers['idempotency-key'];
  if (key === undefined || !operation.takesIdempotencyKey) return undefined;
  if (IDEMPOTENCY_KEY.test(key)) return key;
  throw new Refusal('invalid_field', 'Idempotency-Key must be 1 to 255 printable ASCII characters');
}

/**
 * The owner of a key: the token, not its user, because another token may have fewer rights. For a session its sign-in, with
 * the same rights: a page renews its session within the hour, and asks again for an answer that was lost before.
 */
export function keyOwner(caller: Caller, address: string): string {
  switch (caller.kind) {
    case 'user':
      return caller.signInId === undefined ? `token ${caller.tokenId}` : ofSession(caller);
    case 'operator':
      return 'operator';
    case 'anonymous':
      return `address ${address}`;
  }
}

const ofSession = ({ signInId, scope, strategyIds, limits }: UserCaller): string =>
  `sign-in ${JSON.stringify([signInId, scope, strategyIds, limits])}`;
