import {
  type ClientRequest,
  type IncomingMessage,
  type RequestOptions,
  request as httpRequest,
} from 'node:http';
import { PASSPORT } from './passport.js';

/** Headers of one connection only. */
const OF_CONNECTION: ReadonlySet<string> = new Set([
  ...['connection', 'keep-alive', 'proxy-connection', 'te', 'trailer', 'transfer-encoding'],
  ...['upgrade', 'expect'],
]);
/** The body is sent whole, and a client's own passport is none. */
const OF_REQUEST: ReadonlySet<string> = new Set([...OF_CONNECTION, 'content-length', PASSPORT]);

/** As name, value, name, value. */
const without = (rawHeaders: readonly string[], names: ReadonlySet<string>): string[] =>
  rawHeaders.filter((_, at) => !names.has((rawHeaders[at - (at % 2)] ?? '').toLowerCase()));

/** The client's headers for the next node, with the passport. */
export const requestHeaders = ({ rawHeaders }: IncomingMessage, passport: string): string[] => [
  ...without(rawHeaders, OF_REQUEST),
  ...[PASSPORT, passport],
];

/** The other node's headers for the client. */
export const answerHeaders = ({ rawHeaders }: IncomingMessage): string[] =>
  without(rawHeaders, OF_CONNECTION);

/** The same request at another node, at the address that this one wrote into the database. Its body is not sent yet. */
export function requestAt(
  { url: node }: { readonly url: string },
  { method = 'GET', url: path = '/' }: Pick<IncomingMessage, 'method' | 'url'>,
  options: Pick<RequestOptions, 'agent' | 'headers' | 'timeout'>,
): ClientRequest {
  const { hostname, port } = new URL(node);
  const host = hostname.replace(/^\[|\]$/g, '');
  return httpRequest({ ...options, host, port, method, path });
}
