import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import helmet from 'helmet';

/** The headers of every answer: no caching, and those of helmet, computed once because they never change. */
export const FIXED_HEADERS = [
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

function headersOf(handler: ReturnType<typeof helmet>): readonly (readonly [string, string])[] {
  const response = new ServerResponse(new IncomingMessage(new Socket()));
  handler(response.req, response, () => undefined);
  return response.getHeaderNames().map((name) => [name, String(response.getHeader(name))] as const);
}
