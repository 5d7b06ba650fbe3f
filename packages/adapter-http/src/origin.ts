import { isIP } from 'node:net';
import type { Origin } from '@slipstream/application';
import type { Request } from 'express';

/** Where a request came from. What a proxy tells as the address counts only when it is one. */
export const originOf = ({ ip = '' }: Request, action: string, requestId: string): Origin => ({
  action,
  ip: isIP(ip) ? ip : null,
  requestId,
});
