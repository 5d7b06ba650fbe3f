import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { extname, join, sep } from 'node:path';
import type { Express, Request, Response } from 'express';
import { send } from '../answers/send.js';
import { type Limiter, requireReadsLeft } from '../limits/rate-limits.js';
import { DASHBOARD_POLICY } from './dashboard-pages.js';
import { serveFiles } from './one-page.js';

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json',
  '.svg': 'image/svg+xml',
  '.webp': 'image/webp',
};

/** `a/index.html` is the page `/guide/a`; every other file has its own name. The first page may be asked for as a folder. */
const addressesOf = (file: string): readonly string[] =>
  file === 'index.html'
    ? ['/guide', '/guide/']
    : [`/guide/${file.split(sep).join('/')}`.replace(/\/index\.html$/, '')];

/**
 * Serves the built documentation below `/guide`: its own files and no catch-all. They are read at the first request and kept, so
 * that a server that nobody asks pays nothing, and another build does not mix two versions.
 */
export function serveGuide(app: Express, folder: string, limiter: Pick<Limiter, 'count'>): void {
  if (!existsSync(join(folder, 'index.html'))) return;
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(
    (file) => extname(file) in TYPES,
  );
  let kept: ReadonlyMap<string, Buffer> | undefined;
  const contents = () =>
    (kept ??= new Map(files.map((file) => [file, readFileSync(join(folder, file))])));
  const serve = (file: string) => async (request: Request, response: Response) => {
    await requireReadsLeft(limiter, request);
    response.setHeader('Content-Security-Policy', DASHBOARD_POLICY);
    response.setHeader('Cache-Control', 'public, max-age=300');
    send(response, 200, TYPES[extname(file)] ?? '', [contents().get(file) ?? Buffer.of()]);
  };
  serveFiles(
    app,
    new Map(
      files.flatMap((file) => addressesOf(file).map((address) => [address, serve(file)] as const)),
    ),
  );
}
