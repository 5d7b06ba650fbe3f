import { isIP } from 'node:net';
import type { Origin } from '@slipstream/application';

/** Where a request came from. What a proxy tells as the address counts only when it is one. */
export const originOf = (
  address: string,
  action: string,
  requestId: string,
  userAgent: string | null = null,
): Origin => ({
  action,
  ip: isIP(address) ? address : null,
  requestId,
  userAgent,
});
