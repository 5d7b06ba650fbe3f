import type { Operation } from '../operations/operation.js';

/** The operations that a plan can be made of: they act for a token's user and take effect once. Sign-ins, tokens and passwords are not planned. */
export const isPlannable = ({
  method,
  auth,
  scope,
  group,
  takesIdempotencyKey,
  name,
}: Operation): boolean =>
  method === 'POST' &&
  auth === 'required' &&
  scope !== null &&
  scope !== 'newToken' &&
  takesIdempotencyKey &&
  group !== 'Authentication' &&
  !name.startsWith('preview');
