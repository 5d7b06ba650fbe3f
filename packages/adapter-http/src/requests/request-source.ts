import { isIP } from 'node:net';
import type { RequestSource } from '@slipstream/application';
import { networkOf } from '../connections/network.js';

/** Where a request came from. What a proxy tells as the address counts only when it is one. */
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
