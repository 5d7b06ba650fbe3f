import type { IncomingMessage } from 'node:http';
import type { Request } from 'express';

/** The client's address, through trusted proxies; for any request of `httpServer`, including upgrades. */
export const clientAddress = (request: IncomingMessage): string =>
  (request as Request).ip ?? 'unknown';
