import { type Route, routes } from '@slipstream/wire/routes';
import { type Connection, call } from './call.js';
import type { CallOptions, Methods } from './requests.js';
import { isServerUrl } from './server-url.js';
import { type Streams, type StreamsOptions, openStreams } from './streams.js';
import { type Timers, hostTimers } from './timers.js';

/** Which server is called, and by whom. */
export interface ClientOptions {
  /** Where the server is, for example `http://127.0.0.1:3000`. */
  readonly url: string;
  /** An api token, a refresh token, or the operator's. */
  readonly token?: string | undefined;
  readonly fetch?: typeof fetch | undefined;
  readonly timers?: Timers | undefined;
  /** Makes the Idempotency-Key of a POST that is given none, so that it is tried again as well. */
  readonly newKey?: (() => string) | undefined;
  /** The most attempts of a request that may be repeated; 4 by default. */
  readonly attempts?: number | undefined;
  /** Whether a call is retried while no server has listened at the address yet; true by default. */
  readonly waitForServer?: boolean | undefined;
}

/** Every operation as a method, and the live streams. */
export type Client = Methods & {
  /** Live streams over a connection of their own, opened with the first subscription. */
  streams(options?: StreamsOptions): Streams;
};

/**
 * A client of the server at `url`. Refused requests reject with `RequestFailed`, unanswered ones with `Unreachable`.
 * @throws a `TypeError` when `url` is none that requests can be sent to (`isServerUrl`).
 */
export function createClient(options: ClientOptions): Client {
  const {
    token,
    fetch = globalThis.fetch,
    timers = hostTimers,
    newKey,
    attempts = 4,
    waitForServer = true,
  } = options;
  // The value is not repeated: it may have a password in it.
  if (!isServerUrl(options.url))
    throw new TypeError('url must be an address such as https://trading.example');
  const connection: Connection = {
    url: options.url.replace(/\/+$/, ''),
    token,
    fetch,
    timers,
    newKey,
    attempts,
    waitForServer,
  };
  const method =
    (route: Route) =>
    (fields: Readonly<Record<string, unknown>> = {}, given: CallOptions = {}): Promise<unknown> =>
      call(connection, route, fields, given);
  const methods = Object.fromEntries(routes().map((route) => [route.name, method(route)]));
  return {
    ...(methods as unknown as Methods),
    streams: (given = {}) => openStreams({ ...connection, ...given }),
  };
}
