import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { extname, join } from 'node:path';
import type { Express, Request, Response } from 'express';
import { send } from '../answers/send.js';
import { type Limiter, requireReadsLeft } from '../limits/rate-limits.js';
import { serveFiles, serveOne } from './one-page.js';

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

const TYPES: Readonly<Record<string, string>> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
};

/** The encodings of an asset that the build makes, the smallest first. */
const ENCODINGS = [
  ['br', '.br'],
  ['gzip', '.gz'],
] as const;

/**
 * Serves the dashboard: its own paths, and no catch-all, so that unknown paths keep the envelope. All files are read at the
 * start: another build while the server runs must neither mix two versions nor end it.
 */
export function serveDashboard(
  app: Express,
  { folder, pages }: Dashboard,
  limiter: Pick<Limiter, 'count'>,
): void {
  if (!existsSync(join(folder, 'index.html'))) return;
  const page = readFileSync(join(folder, 'index.html'), 'utf8');
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
  serveAssets(app, join(folder, 'assets'));
}

function serveAssets(app: Express, folder: string): void {
  const files = new Map(
    readdirSync(folder).map((name) => [name, readFileSync(join(folder, name))] as const),
  );
  const serve = (name: string, type: string) => (request: Request, response: Response) => {
    response.setHeader('Cache-Control', FOR_EVER);
    response.setHeader('Vary', 'Accept-Encoding');
    const [encoding, ending] = ENCODINGS.find(
      ([one, suffix]) => request.acceptsEncodings(one) && files.has(`${name}${suffix}`),
    ) ?? ['', ''];
    if (encoding !== '') response.setHeader('Content-Encoding', encoding);
    send(response, 200, type, [files.get(`${name}${ending}`) ?? Buffer.of()]);
  };
  serveFiles(
    app,
    new Map(
      [...files.keys()].flatMap((name) => {
        const type = TYPES[extname(name)];
        return type === undefined ? [] : [[`/assets/${name}`, serve(name, type)] as const];
      }),
    ),
  );
}
