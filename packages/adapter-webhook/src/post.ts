import { request as httpRequest } from 'node:http';
import { request as httpsRequest } from 'node:https';
import type { LookupFunction } from 'node:net';
import { AddressRefused, type Allowed, literalAddress, mayDial } from './addresses.js';

/** The status of the answer with its Retry-After, or why there is none, in plain words. */
export type Posted =
  | { readonly status: number; readonly problem: null; readonly retryAfter: string | undefined }
  | { readonly status: null; readonly problem: string };

export interface PostOptions {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly lookup: LookupFunction;
  readonly allowed: Allowed;
  /** Milliseconds for all of it. */
  readonly patience: number;
}

/** The most bytes of an answer that are read: only its status matters. */
const MOST_READ = 64 * 1024;

const PROBLEMS: Readonly<Record<string, string>> = {
  ENOTFOUND: 'its name has no address',
  EAI_AGAIN: 'its name could not be resolved',
  ECONNREFUSED: 'it refused the connection',
  ECONNRESET: 'it broke the connection',
  EPIPE: 'it broke the connection',
  EHOSTUNREACH: 'it cannot be reached',
  ENETUNREACH: 'it cannot be reached',
  ETIMEDOUT: 'it cannot be reached',
};

/** Never the error's own text: it may hold the address, which may hold a secret. */
function problemOf(error: unknown, patience: number): string {
  if (error instanceof AddressRefused) return error.message;
  const { name, code, errors } = error as {
    readonly name?: string;
    readonly code?: string;
    readonly errors?: readonly unknown[];
  };
  if (name === 'AbortError' || name === 'TimeoutError')
    return `it did not answer within ${patience / 1000} seconds`;
  if (errors?.[0] !== undefined) return problemOf(errors[0], patience);
  if (code !== undefined && /CERT|SIGNATURE|ALTNAME|SELF_SIGNED/.test(code))
    return 'its certificate is not valid';
  return PROBLEMS[code ?? ''] ?? 'the connection failed';
}

/** Sends one request over a connection of its own and answers soon, whatever happens. A redirect is an answer like others. */
export function post(url: URL, options: PostOptions): Promise<Posted> {
  const { headers, body, lookup, allowed, patience } = options;
  const literal = literalAddress(url);
  if (literal !== undefined && !mayDial(literal, allowed))
    return Promise.resolve({ status: null, problem: new AddressRefused().message });
  const request = url.protocol === 'http:' ? httpRequest : httpsRequest;
  return new Promise((resolve) => {
    const sent = request(url, {
      method: 'POST',
      agent: false,
      lookup,
      signal: AbortSignal.timeout(patience),
      headers: { ...headers, 'content-length': String(Buffer.byteLength(body)) },
    });
    sent.on('error', (error) => resolve({ status: null, problem: problemOf(error, patience) }));
    sent.on('response', (response) => {
      let read = 0;
      response.on('error', () => undefined);
      response.on('data', (chunk: Buffer) => {
        read += chunk.length;
        if (read > MOST_READ) response.destroy();
      });
      const { statusCode: status = 0, headers: told } = response;
      resolve({ status, problem: null, retryAfter: told['retry-after'] });
    });
    sent.end(body);
  });
}
