import type { HaltTarget } from '@slipstream/domain';
import type { HeldStockView } from '@slipstream/application';
import type { SourceHealth } from '@slipstream/ports';
import type { Express } from 'express';
import { type DocumentedBroker, asyncApi, openApi } from '@slipstream/wire';
import { docsPage } from './docs-page.js';
import { requireFiguresAccess } from './figures-access.js';
import { serveOne } from './one-page.js';
import { type Limiter, requireReadsLeft } from '../limits/rate-limits.js';
import { send } from '../answers/send.js';

/** Counts requests and shows the counts to Prometheus. */
export interface Metrics {
  /** `operation` is a name of the table or `unknown`. */
  observe(operation: string, status: number, seconds: number): void;
  readonly contentType: string;
  text(): Promise<string>;
}

export interface ServicePages {
  readonly version: string;
  /** The brokers of this server, for the documents. */
  readonly brokers?: readonly DocumentedBroker[] | undefined;
  /** What the figures of strategies are, in a sentence; for the documents. */
  readonly disclosure?: string | undefined;
  /** Where clients reach the service, known once it listens; for the documents. */
  readonly baseUrl?: (() => string) | undefined;
  /** False while the server starts or drains. */
  readonly ready: () => boolean;
  /** Why it is not ready otherwise, as on a full disk; null when nothing is wrong. /readyz tells it. */
  readonly unready?: (() => string | null) | undefined;
  /** The halts of all trading or of a broker; /readyz tells them. */
  readonly halts?: (() => Promise<readonly HaltTarget[]>) | undefined;
  /** The sources of quotes; /readyz tells how old each is and whether its quotes stand. */
  readonly sources?: (() => readonly SourceHealth[]) | undefined;
  /** Stocks that are held until a corporate action is booked; /readyz names them. */
  readonly heldStocks?: (() => readonly HeldStockView[]) | undefined;
  /** Why the clock of the server may be wrong; null when it is not in doubt. /readyz tells it. */
  readonly clockDoubt?: (() => string | null) | undefined;
  readonly metrics?: Metrics | undefined;
  /** Lets other machines read the metrics. */
  readonly metricsToken?: string | undefined;
  /** Counts calls and failed authentications. */
  readonly limiter: Limiter;
}

/** The pages beside the operations (contract 7): health, metrics, documents. */
export function servePages(app: Express, options: ServicePages): void {
  const { version, baseUrl, brokers = [], ready, halts, sources, heldStocks, metrics } = options;
  const { metricsToken, limiter, disclosure, clockDoubt } = options;
  const at = () => ({ version, ...(baseUrl && { baseUrl: baseUrl() }) });
  const openText = once(() => JSON.stringify(openApi({ ...at(), brokers, disclosure })));
  const asyncText = once(() => JSON.stringify(asyncApi(at())));
  const docs = once(() => docsPage(version, brokers, disclosure));

  // A supervisor of the process must get an answer, however many others ask.
  serveOne(app, 'GET', '/healthz', (_, response) => send(response, 200, 'text/plain', 'ok\n'));
  serveOne(app, 'GET', '/readyz', async (_, response) => {
    const reason = options.unready?.() ?? null;
    if (ready() && reason === null) {
      const lines = [
        sourceLines(sources?.() ?? []),
        await haltLines(halts),
        heldLines(heldStocks?.() ?? []),
        doubtLine(clockDoubt?.() ?? null),
      ];
      send(response, 200, 'text/plain', `ready\n${lines.join('')}`);
    } else send(response, 503, 'text/plain', `not ready\n${reason === null ? '' : `${reason}\n`}`);
  });
  const limited: typeof serveOne = (to, method, path, serve) =>
    serveOne(to, method, path, async (request, response) => {
      await requireReadsLeft(limiter, request);
      await serve(request, response);
    });
  limited(app, 'GET', '/openapi.json', (_, response) =>
    send(response, 200, 'application/json', openText()),
  );
  limited(app, 'GET', '/asyncapi.json', (_, response) =>
    send(response, 200, 'application/json', asyncText()),
  );
  limited(app, 'GET', '/docs', (_, response) => {
    const { html, contentSecurityPolicy } = docs();
    response.setHeader('Content-Security-Policy', contentSecurityPolicy);
    send(response, 200, 'text/html; charset=utf-8', html);
  });
  if (!metrics) return;
  limited(app, 'GET', '/metrics', async (request, response) => {
    requireFiguresAccess(request, metricsToken);
    send(response, 200, metrics.contentType, await metrics.text());
  });
}

/** A line for each source of quotes. A silent one does not make a server less ready: another server would hear no more. */
const sourceLines = (sources: readonly SourceHealth[]): string =>
  sources
    .map(({ name, age, healthy, reconnects, drops }) => {
      const state = healthy ? 'healthy' : 'not healthy';
      const last = age === null ? 'silent so far' : `last heard ${Math.round(age / 1_000)} s ago`;
      const dropped = Object.entries(drops).map(([reason, count]) => `${count} dropped: ${reason}`);
      return `quotes of ${name}: ${[state, last, `${reconnects} reconnects`, ...dropped].join(', ')}\n`;
    })
    .join('');

/** A line for each halt. Halts do not make a server less ready, nor does a failure to read them. */
async function haltLines(halts: ServicePages['halts']): Promise<string> {
  const standing = await halts?.().catch(() => []);
  const lines = (standing ?? []).map(({ scope, target }) =>
    scope === 'all' ? 'all trading is halted\n' : `trading with ${target ?? ''} is halted\n`,
  );
  return [...new Set(lines)].join('');
}

/** A line for each stock that is held. */
const heldLines = (stocks: readonly HeldStockView[]): string =>
  stocks.map(({ symbol, reason }) => `${symbol} is held: ${reason}\n`).join('');

/** A line while the clock is in doubt. That does not make a server less ready: it may well be right. */
const doubtLine = (doubt: string | null): string =>
  doubt === null ? '' : `the clock is in doubt: ${doubt}\n`;

/** Computed on first use: a server that is asked for no documents starts without the work. */
function once<Made>(make: () => Made): () => Made {
  let made: Made | undefined;
  return () => (made ??= make());
}
