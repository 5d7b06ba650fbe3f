import { isIP } from 'node:net';
import type { IncomingMessage } from 'node:http';
import { TransportFailure } from '../answers/failures.js';

/** Host and port of a Host header; IPv6 addresses stand in brackets. */
const HOST = /^(?:\[([\da-f:.]+)\]|([^:[\]/@\s]+))(?::\d{1,5})?$/i;

/** Whether the server accepts a Host header. */
export type AnswersTo = (host: string) => boolean;

/**
 * A server that accepts `names`, `localhost` and every numeric address. A page whose own name points to this machine (DNS
 * rebinding) sends that name, which is refused.
 */
export function answersTo(names: readonly string[]): AnswersTo {
  const known = new Set(names.map((name) => name.toLowerCase()));
  return (host) => {
    const [, address, text = ''] = HOST.exec(host) ?? [];
    if (address !== undefined) return isIP(address) === 6;
    const name = text.toLowerCase().replace(/\.$/, '');
    return name === 'localhost' || known.has(name) || isIP(name) === 4;
  };
}

/** The number of Host headers: Node keeps only the first one. */
function countHosts(headers: readonly string[]): number {
  let count = 0;
  for (let at = 0; at < headers.length; at += 2)
    if (headers[at]?.length === 4 && headers[at]?.toLowerCase() === 'host') count += 1;
  return count;
}

const refused = (why: string): TransportFailure =>
  new TransportFailure(400, 'invalid_request', why);

/** Refuses requests without a Host header, or with several (RFC 9112, 3.2). */
export function requireOneHost({
  headers: { host },
  rawHeaders,
  httpVersion,
}: Pick<IncomingMessage, 'headers' | 'rawHeaders' | 'httpVersion'>): void {
  if (host === undefined && httpVersion === '1.1') throw refused('the Host header is missing');
  if (host !== undefined && countHosts(rawHeaders) > 1)
    throw refused('there is more than one Host header');
}

/** Refuses requests with the Host header of another server. */
export function requireOwnHost(host: string | undefined, answers: AnswersTo): void {
  if (host !== undefined && !answers(host))
    throw refused('this server does not go by the name in the Host header (ALLOWED_HOSTS)');
}
