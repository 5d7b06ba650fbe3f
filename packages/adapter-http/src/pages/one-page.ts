import type { Express, Request, Response } from 'express';
import { TransportFailure } from '../answers/failures.js';

/** The methods of a page for `Allow`. */
const ALLOWED = {
  GET: 'GET, HEAD, OPTIONS',
  POST: 'POST, OPTIONS',
} as const;

/** Serves exactly this path; any method but the page's own is a 405. */
export function serveOne(
  app: Express,
  method: keyof typeof ALLOWED,
  path: string,
  serve: (request: Request, response: Response) => void | Promise<void>,
): void {
  app.all(path, async (request, response) => {
    const asked = request.method === 'HEAD' ? 'GET' : request.method;
    if (asked === method) {
      await serve(request, response);
      return;
    }
    const allow = ALLOWED[method];
    if (asked !== 'OPTIONS')
      throw new TransportFailure(405, 'method_not_allowed', `${path} takes ${method}`, {
        Allow: allow,
      });
    response.setHeader('Allow', allow);
    response.status(204).end();
  });
}
