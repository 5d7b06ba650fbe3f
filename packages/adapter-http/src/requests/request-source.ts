import { isIP } from 'node:net';
import type { RequestSource } from '@slipstream/application';
import { networkOf } from '../connections/network.js';

/** The source of a request. An address forwarded by a proxy counts only if it is a valid one. */
export const requestSource = (
  address: string,
  action: string,
  requestId: string,
  userAgent: string | null = null,
): RequestSource => ({
  action,
  ip: isIP(address) ? address : null,
  network: networkOf(address),
  requestId,
  userAgent,
});
