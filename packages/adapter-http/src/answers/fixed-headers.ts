import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import helmet from 'helmet';

/** No caching, and the headers of helmet, computed once because they never change. */
const FIXED_HEADERS = [
  ['Cache-Control', 'no-store'] as const,
  ...headersOf(
    helmet({
      contentSecurityPolicy: {
        useDefaults: false,
        directives: { 'default-src': ["'none'"], 'frame-ancestors': ["'none'"] },
      },
    }),
  ),
];

/** Gives an answer the headers that every answer has. */
export function setFixedHeaders(response: ServerResponse, requestId: string): void {
  for (const [name, value] of FIXED_HEADERS) response.setHeader(name, value);
  response.setHeader('X-Request-Id', requestId);
}

function headersOf(handler: ReturnType<typeof helmet>): readonly (readonly [string, string])[] {
  const response = new ServerResponse(new IncomingMessage(new Socket()));
  handler(response.req, response, () => undefined);
  return response.getHeaderNames().map((name) => [name, String(response.getHeader(name))] as const);
}
