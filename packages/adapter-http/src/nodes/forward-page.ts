import { type IncomingMessage, request as httpRequest } from 'node:http';
import { pipeline } from 'node:stream';
import { clientAddress } from '../requests/client-address.js';
import { type NoAnswer, NotTaken, type Peer } from './peer.js';
import type { Sent } from './sent-request.js';

/** Headers of one connection only. */
const OF_CONNECTION: ReadonlySet<string> = new Set([
  ...['connection', 'keep-alive', 'proxy-connection', 'te', 'trailer', 'transfer-encoding'],
  ...['upgrade', 'expect'],
]);
/** The body is sent whole. */
const OF_REQUEST: ReadonlySet<string> = new Set([...OF_CONNECTION, 'content-length']);

/** As name, value, name, value. */
const without = (rawHeaders: readonly string[], names: ReadonlySet<string>): string[] =>
  rawHeaders.filter((_, at) => !names.has((rawHeaders[at - (at % 2)] ?? '').toLowerCase()));

/** The client's headers for another node. */
export const requestHeaders = ({ rawHeaders }: IncomingMessage): string[] =>
  without(rawHeaders, OF_REQUEST);

/** Lets the other node answer a request for a page, over a connection within the link. */
export function forwardPage(
  peer: Peer,
  { request, response, body, isInDoubt }: Sent,
): Promise<'answered' | NoAnswer> {
  const { method = 'GET', url: path = '/' } = request;
  return new Promise((resolve) => {
    const passed = httpRequest({
      ...{ method, path, createConnection: () => peer.connect(clientAddress(request)) },
      headers: [
        ...requestHeaders(request),
        ...(body.length > 0 || method === 'POST' ? ['Content-Length', String(body.length)] : []),
      ],
    });
    passed.on('error', (error) => resolve(error instanceof NotTaken ? 'not taken' : 'unknown'));
    passed.on('response', (answer) => {
      const { statusCode: status = 500, rawHeaders } = answer;
      if (isInDoubt && status >= 500) {
        answer.resume();
        resolve('unknown');
        return;
      }
      response.writeHead(status, without(rawHeaders, OF_CONNECTION));
      pipeline(answer, response, () => resolve('answered'));
    });
    passed.end(body);
  });
}
