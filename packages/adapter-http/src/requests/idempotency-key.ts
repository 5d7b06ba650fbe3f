import type { Caller } from '@slipstream/application';
import { Refusal } from '@slipstream/domain';
import { IDEMPOTENCY_KEY, type Operation } from '@slipstream/wire';
import type { Request } from 'express';

/** The key of a POST that may be repeated; undefined if none was sent or the operation takes none. */
export function idempotencyKey(
  operation: Pick<Operation, 'takesIdempotencyKey'>,
  request: Request,
): string | undefined {
  const key = request.headers['idempotency-key'];
  if (key === undefined || !operation.takesIdempotencyKey) return undefined;
  if (typeof key === 'string' && IDEMPOTENCY_KEY.test(key)) return key;
  throw new Refusal('invalid_field', 'Idempotency-Key must be 1 to 255 printable ASCII characters');
}

/** The owner of a key: the token, not its user, because another token may have fewer rights. */
export function keyOwner(caller: Caller, address: string): string {
  switch (caller.kind) {
    case 'user':
      return `token ${caller.tokenId}`;
    case 'operator':
      return 'operator';
    case 'anonymous':
      return `address ${address}`;
  }
}
