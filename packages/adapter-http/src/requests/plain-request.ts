import type { IncomingMessage } from 'node:http';
import { clientAddress } from './client-address.js';
import { readBytes } from './body.js';
import { requireOneHost } from './host-names.js';

/** The headers that an operation reads. */
const COUNTED = [
  ...(['host', 'origin', 'access-control-request-method', 'authorization', 'user-agent'] as const),
  ...(['content-type', 'content-encoding', 'idempotency-key'] as const),
] as const;

/** By lower-case names. */
export type CountedHeaders = { readonly [Name in (typeof COUNTED)[number]]?: string };

/** A request for an operation, however it came: over HTTP, or from another node. */
export interface PlainRequest {
  readonly method: string;
  /** The path and the query. */
  readonly target: string;
  readonly headers: CountedHeaders;
  /** The client's address. */
  readonly address: string;
  /** Whether a node that forwards sent it before, and never got the answer: it may have been done. */
  readonly isAgain?: boolean;
  /** The whole body; refuses one larger than `limit` bytes (413). */
  body(limit: number): Promise<Buffer>;
}

export const pathOf = ({ target }: Pick<PlainRequest, 'target'>): string => {
  const mark = target.indexOf('?');
  return mark < 0 ? target : target.slice(0, mark);
};

/** The request of a client over HTTP; its body is not read yet. Throws unless it has one Host header. */
export function plainRequest(request: IncomingMessage): PlainRequest {
  requireOneHost(request);
  const headers: Record<string, string> = {};
  for (const name of COUNTED) {
    const value = request.headers[name];
    if (typeof value === 'string') headers[name] = value;
  }
  return {
    method: request.method ?? 'GET',
    target: request.url ?? '/',
    headers,
    address: clientAddress(request),
    body: (limit) => readBytes(request, limit),
  };
}
