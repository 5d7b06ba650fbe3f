import type { Express, Request, RequestHandler, Response } from 'express';
import { ALLOWED, type Method, requireMethod } from '../answers/methods.js';

type Serve = (request: Request, response: Response) => void | Promise<void>;

/** The answer of a page; any method but its own is a 405. */
const pageHandler =
  (method: Method, path: string, serve: Serve): RequestHandler =>
  async (request, response) => {
    response.locals['isPage'] = true;
    if (request.method === 'OPTIONS') {
      response.setHeader('Allow', ALLOWED[method]);
      response.status(204).end();
      return;
    }
    requireMethod(path, method, request.method);
    await serve(request, response);
  };

/** A path in which `:name` stands for one part, without escapes: express would fail at those that it cannot decode. */
const pathWithParts = (path: string): RegExp =>
  new RegExp(`^${path.replaceAll('.', '\\.').replace(/:\w+/g, '[^/%]+')}$`);

/** Serves exactly this path, or each one with a part in the place of `:name`. */
export function serveOne(app: Express, method: Method, path: string, serve: Serve): void {
  app.all(path.includes(':') ? pathWithParts(path) : path, pageHandler(method, path, serve));
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
