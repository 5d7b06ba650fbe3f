import type { Express, Request, RequestHandler, Response } from 'express';
import { TransportFailure } from '../answers/failures.js';

/** The methods of a page for `Allow`. */
const ALLOWED = {
  GET: 'GET, HEAD, OPTIONS',
  POST: 'POST, OPTIONS',
} as const;

type Method = keyof typeof ALLOWED;
type Serve = (request: Request, response: Response) => void | Promise<void>;

/** The answer of a page; any method but its own is a 405. */
const pageHandler =
  (method: Method, path: string, serve: Serve): RequestHandler =>
  async (request, response) => {
    response.locals['isPage'] = true;
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
  };

/** Serves exactly this path, which may have parameters as express writes them. */
export function serveOne(app: Express, method: Method, path: string, serve: Serve): void {
  app.all(path, pageHandler(method, path, serve));
}

/** Serves files by their paths; looked up at once, where express would compare each request with each of them. */
export function serveFiles(app: Express, files: ReadonlyMap<string, Serve>): void {
  const handlers = new Map(
    [...files].map(([path, serve]) => [path, pageHandler('GET', path, serve)] as const),
  );
  app.use((request, response, next) => {
    const handler = handlers.get(request.path);
    return handler ? handler(request, response, next) : next();
  });
}
