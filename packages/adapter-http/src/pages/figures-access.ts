import { Refusal } from '@slipstream/domain';
import { tokenOf } from '@slipstream/wire';
import type { Request } from 'express';
import { isSecret } from '../requests/callers.js';

const LOOPBACK = /^(::1|(::ffff:)?127\.\d+\.\d+\.\d+)$/i;

const isLoopback = (address: string | undefined): boolean => LOOPBACK.test(address ?? '');

/** What proxies add to a request: the client, its scheme and host, themselves. */
const OF_PROXIES = /^(forwarded|via|x-real-ip|x-forwarded-.*)$/;

const isForwarded = ({ headers }: Request): boolean =>
  Object.keys(headers).some((name) => OF_PROXIES.test(name));

/** Whether the request comes from this machine itself, not from a proxy on it. */
const isLocal = (request: Request): boolean =>
  isLoopback(request.socket.remoteAddress) &&
  isLoopback(request.ip) &&
  (request.ips.length > 0 || !isForwarded(request));

/** Refuses callers that are neither on this machine nor have the token (contract 16). */
export function requireFiguresAccess(request: Request, token: string | undefined): void {
  const given = tokenOf(request.headers.authorization);
  if (given === undefined ? isLocal(request) : isSecret(given, token)) return;
  throw new Refusal('unauthenticated', '/metrics needs METRICS_TOKEN');
}
