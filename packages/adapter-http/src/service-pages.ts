import { type Express, type Response } from 'express';
import { asyncApi, openApi } from '@slipstream/wire';
import { docsPage } from './docs-page.js';
import { TransportFailure } from './failures.js';
import type { AnswerBody } from './written.js';

/** Counts what is served and shows it to Prometheus. */
export interface Metrics {
  /** `operation` is a name of the table or `unknown`. */
  observe(operation: string, status: number, seconds: number): void;
  readonly contentType: string;
  text(): Promise<string>;
}

const PAGES = ['/healthz', '/readyz', '/metrics', '/openapi.json', '/asyncapi.json', '/docs'];

export interface ServicePages {
  readonly version: string;
  /** Where clients reach the service, known once it listens; stands in the documents. */
  readonly baseUrl?: (() => string) | undefined;
  /** False while the server starts or drains. */
  readonly ready: () => boolean;
  readonly metrics?: Metrics | undefined;
}

/** The pages beside the operations (contract 7): health, figures, documents. */
export function servePages(app: Express, { version, baseUrl, ready, metrics }: ServicePages): void {
  const at = () => ({ version, ...(baseUrl && { baseUrl: baseUrl() }) });
  const openText = once(() => JSON.stringify(openApi(at())));
  const asyncText = once(() => JSON.stringify(asyncApi(at())));
  const docs = docsPage(version);

  app.get('/healthz', (_, response) => send(response, 200, 'text/plain', 'ok\n'));
  app.get('/readyz', (_, response) => {
    if (ready()) send(response, 200, 'text/plain', 'ready\n');
    else send(response, 503, 'text/plain', 'not ready\n');
  });
  app.get('/openapi.json', (_, response) => send(response, 200, 'application/json', openText()));
  app.get('/asyncapi.json', (_, response) => send(response, 200, 'application/json', asyncText()));
  app.get('/docs', (_, response) => {
    response.setHeader('Content-Security-Policy', docs.contentSecurityPolicy);
    send(response, 200, 'text/html; charset=utf-8', docs.html);
  });
  if (metrics) {
    app.get('/metrics', async (_, response) =>
      send(response, 200, metrics.contentType, await metrics.text()),
    );
  }
  app.post(PAGES, (request) => {
    throw new TransportFailure(405, 'method_not_allowed', `${request.path} takes GET`, {
      Allow: 'GET, HEAD, OPTIONS',
    });
  });
}

/** Made when it is first asked for. */
function once(make: () => string): () => string {
  let made: string | undefined;
  return () => (made ??= make());
}

/** Sends the whole answer at once. */
export function send(response: Response, status: number, type: string, body: AnswerBody): void {
  response.statusCode = status;
  response.setHeader('Content-Type', type);
  if (typeof body === 'string') {
    response.setHeader('Content-Length', Buffer.byteLength(body));
    response.end(body);
    return;
  }
  response.setHeader(
    'Content-Length',
    body.reduce((length, piece) => length + piece.length, 0),
  );
  response.cork();
  for (const piece of body) response.write(piece);
  response.end();
}
