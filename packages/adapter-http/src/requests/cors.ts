import type { RequestHandler } from 'express';

const EXPOSED = 'X-Error-Code, X-Request-Id, Retry-After';
const ALLOWED_HEADERS = 'Authorization, Content-Type, Idempotency-Key';

/** Lets pages of exactly these origins call, without cookies. */
export function cors(origins: readonly string[]): RequestHandler {
  const allowed = new Set(origins);
  return (request, response, next) => {
    response.vary('Origin');
    const { origin } = request.headers;
    if (origin !== undefined && allowed.has(origin)) {
      response.setHeader('Access-Control-Allow-Origin', origin);
      response.setHeader('Access-Control-Expose-Headers', EXPOSED);
      if (request.method === 'OPTIONS' && request.headers['access-control-request-method']) {
        response.setHeader('Access-Control-Allow-Methods', 'GET, POST');
        response.setHeader('Access-Control-Allow-Headers', ALLOWED_HEADERS);
        response.setHeader('Access-Control-Max-Age', '600');
        response.status(204).end();
        return;
      }
    }
    next();
  };
}
