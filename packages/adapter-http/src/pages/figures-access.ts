import { Refusal } from '@slipstream/domain';
import { tokenOf } from '@slipstream/wire';
import type { Request } from 'express';
import { isSecret } from '../requests/callers.js';

const LOOPBACK = /^(::1|(::ffff:)?127\.\d+\.\d+\.\d+)$/i;

const isLoopback = (address: string | undefined): boolean => LOOPBACK.test(address ?? '');

/** Whether the request comes from this machine itself, not from a proxy on it. */
const isLocal = (request: Request): boolean =>
  isLoopback(request.socket.remoteAddress) &&
  isLoopback(request.ip) &&
  (request.ips.length > 0 ||
    (request.headers['x-forwarded-for'] === undefined && request.headers.forwarded === undefined));

/** Refuses callers that are neither on this machine nor have the token (contract 16). */
export function requireFiguresAccess(request: Request, token: string | undefined): void {
  const given = tokenOf(request.headers.authorization);
  if (given === undefined ? isLocal(request) : isSecret(given, token)) return;
  throw new Refusal('unauthenticated', '/metrics needs METRICS_TOKEN');
}
