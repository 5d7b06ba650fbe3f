import { type IncomingMessage, type Server, type ServerResponse, createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

/** A request as every stand-in sees it, over a socket or through `fetch`. */
export interface VenueRequest {
  readonly method: string;
  readonly host: string;
  readonly path: string;
  readonly query: URLSearchParams;
  /** By their names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

export interface VenueAnswer {
  readonly status: number;
  readonly body: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** What a caller may get: an answer, a connection that breaks, or one that stays silent. */
export type VenueOutcome = VenueAnswer | 'dropped' | 'silent';

export type Venue = (request: VenueRequest) => Promise<VenueOutcome>;

const bodyOf = (body: unknown): string => (typeof body === 'string' ? body : '');

/** `fetch` that reaches only these venues, by their hosts, without a socket. */
export const fetchFrom =
  (venues: Readonly<Record<string, Venue>>): typeof fetch =>
  async (input, init) => {
    const url = new URL(input instanceof Request ? input.url : input);
    const venue = venues[url.host];
    if (!venue) throw new TypeError(`fetch failed: nothing stands in for ${url.host}`);
    const outcome = await venue({
      method: init?.method ?? 'GET',
      host: url.host,
      path: decodeURIComponent(url.pathname),
      query: url.searchParams,
      headers: Object.fromEntries(new Headers(init?.headers)),
      body: bodyOf(init?.body),
    });
    if (outcome === 'dropped') throw new TypeError('fetch failed');
    if (outcome === 'silent') {
      const signal = init?.signal;
      return new Promise((_, reject) => {
        const end = (): void => reject(new DOMException('aborted', 'AbortError'));
        if (signal?.aborted) end();
        signal?.addEventListener('abort', end, { once: true });
      });
    }
    const { status, body, headers = {} } = outcome;
    return new Response(status === 204 ? null : body, { status, headers });
  };

/** A venue that listens on this machine. */
export interface Listening {
  readonly url: string;
  close(): Promise<void>;
}

async function reply(venue: Venue, request: IncomingMessage, response: ServerResponse) {
  const host = request.headers.host ?? '';
  const url = new URL(request.url ?? '/', `http://${host || '127.0.0.1'}`);
  const outcome = await venue({
    method: request.method ?? 'GET',
    host,
    path: decodeURIComponent(url.pathname),
    query: url.searchParams,
    headers: Object.fromEntries(
      Object.entries(request.headers).map(([name, value]) => [name, String(value)]),
    ),
    body: await text(request),
  });
  if (outcome === 'dropped') response.destroy();
  else if (outcome !== 'silent')
    response.writeHead(outcome.status, outcome.headers).end(outcome.body);
}

/** Lets the venue listen on 127.0.0.1, on a free port unless one is given. */
export async function listen(venue: Venue, port = 0): Promise<Listening> {
  const server: Server = createServer((request, response) => {
    reply(venue, request, response).catch(() => response.destroy());
  });
  await new Promise<void>((ready) => server.listen(port, '127.0.0.1', ready));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () =>
      new Promise((closed) => {
        server.close(() => closed());
        server.closeAllConnections();
      }),
  };
}
