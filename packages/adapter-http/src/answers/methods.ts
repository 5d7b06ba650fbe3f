import { TransportFailure } from './failures.js';

/** The method of a path. */
export type Method = 'GET' | 'POST';

/** What a path takes, for `Allow`. */
export const ALLOWED: Readonly<Record<Method, string>> = {
  GET: 'GET, HEAD, OPTIONS',
  POST: 'POST, OPTIONS',
};

/** Refuses any other method than that of the path (405). Whoever may GET may ask for the headers alone. */
export function requireMethod(path: string, method: Method, asked: string): void {
  if (asked === method || (asked === 'HEAD' && method === 'GET')) return;
  throw new TransportFailure(405, 'method_not_allowed', `${path} takes ${method}`, {
    Allow: ALLOWED[method],
  });
}
