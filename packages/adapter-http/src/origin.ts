import { isIP } from 'node:net';
import type { Origin } from '@slipstream/application';
import { networkOf } from './network.js';

/** Where a request came from. What a proxy tells as the address counts only when it is one. */
export const originOf = (
  address: string,
  action: string,
  requestId: string,
  userAgent: string | null = null,
): Origin => ({
  action,
  ip: isIP(address) ? address : null,
  network: networkOf(address),
  requestId,
  userAgent,
});
