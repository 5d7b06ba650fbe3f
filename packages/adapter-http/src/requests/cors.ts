import type { IncomingHttpHeaders } from 'node:http';

const EXPOSED = 'X-Error-Code, X-Request-Id, Retry-After';
const ALLOWED_HEADERS = 'Authorization, Content-Type, Idempotency-Key';

/** What an answer tells the browser of a page, and whether the browser only asks whether the page may call. */
interface CorsAnswer {
  readonly headers: Readonly<Record<string, string>>;
  readonly isPreflight: boolean;
}

export type Cors = (request: {
  readonly method?: string | undefined;
  readonly headers: IncomingHttpHeaders;
}) => CorsAnswer;

/** Lets pages of exactly these origins call, without cookies. */
export function cors(origins: readonly string[]): Cors {
  const allowed = new Set(origins);
  if (allowed.size === 0) return () => ({ headers: {}, isPreflight: false });
  return ({ method, headers: { origin, 'access-control-request-method': wanted } }) => {
    if (origin === undefined || !allowed.has(origin))
      return { headers: { Vary: 'Origin' }, isPreflight: false };
    const isPreflight = method === 'OPTIONS' && Boolean(wanted);
    const headers = {
      Vary: 'Origin',
      'Access-Control-Allow-Origin': origin,
      'Access-Control-Expose-Headers': EXPOSED,
      ...(isPreflight && {
        'Access-Control-Allow-Methods': 'GET, POST',
        'Access-Control-Allow-Headers': ALLOWED_HEADERS,
        'Access-Control-Max-Age': '600',
      }),
    };
    return { headers, isPreflight };
  };
}
