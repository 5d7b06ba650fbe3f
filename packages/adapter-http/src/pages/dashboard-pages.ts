import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Express } from 'express';
import sirv from 'sirv';
import type { Limiter } from '../limits/rate-limits.js';
import { serveOne } from './one-page.js';
import { requireReadsLeft, send } from './service-pages.js';

/** The built pages of a browser application. */
export interface Dashboard {
  /** The folder with `index.html`, `favicon.svg` and `assets`. */
  readonly folder: string;
  /** The paths that `index.html` answers. Every other path stays unknown. */
  readonly pages: readonly string[];
}

/** Own files only, no inline script or style, no text that becomes HTML. */
export const DASHBOARD_POLICY = [
  "default-src 'none'",
  ...['script', 'style', 'img', 'font', 'connect', 'manifest'].map((kind) => `${kind}-src 'self'`),
  ...['base-uri', 'form-action', 'frame-ancestors'].map((kind) => `${kind} 'none'`),
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
].join('; ');

/** Files whose names have a hash of their content. */
const FOR_EVER = 'public, max-age=31536000, immutable';

/** Serves the dashboard: its own paths, and no catch-all, so that unknown paths keep the envelope. */
export function serveDashboard(
  app: Express,
  { folder, pages }: Dashboard,
  limiter: Pick<Limiter, 'count'>,
): void {
  const index = join(folder, 'index.html');
  if (!existsSync(index)) return;
  const page = readFileSync(index, 'utf8');
  const icon = readFileSync(join(folder, 'favicon.svg'), 'utf8');
  for (const path of pages)
    serveOne(app, 'GET', path, async (request, response) => {
      await requireReadsLeft(limiter, request);
      response.setHeader('Content-Security-Policy', DASHBOARD_POLICY);
      response.setHeader('Cache-Control', 'no-cache');
      send(response, 200, 'text/html; charset=utf-8', page);
    });
  serveOne(app, 'GET', '/favicon.svg', (_, response) => {
    response.setHeader('Cache-Control', 'public, max-age=86400');
    send(response, 200, 'image/svg+xml', icon);
  });
  // It lists the files once, and falls through to the 404 of unknown paths.
  const assets = sirv(join(folder, 'assets'), { brotli: true, gzip: true, etag: true });
  app.use('/assets', (request, response, next) => {
    const before = response.getHeader('Cache-Control');
    response.setHeader('Cache-Control', FOR_EVER);
    assets(request, response, () => {
      response.setHeader('Cache-Control', String(before));
      next();
    });
  });
}
