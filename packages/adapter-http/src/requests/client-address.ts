import type { IncomingMessage } from 'node:http';
import type { Request } from 'express';

/** Some proxies report an address with its port, which is another one for each connection, or an IPv6 address in brackets. */
const REPORTED = /^(?:\[([\da-f:.]+)\]|(\d+\.\d+\.\d+\.\d+))(?::\d+)?$/i;

/** The client's address, through trusted proxies; for any request of `httpServer`, including upgrades. */
export const clientAddress = (request: IncomingMessage): string => {
  const { ip = 'unknown' } = request as Request;
  const [, bracketed, numbers] = REPORTED.exec(ip) ?? [];
  return bracketed ?? numbers ?? ip;
};
