import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openMemory } from '@slipstream/adapter-memory';
import { type FixedClock, fixedClock, silentLog } from '@slipstream/adapter-memory/testing';
import { openSqlite } from '@slipstream/adapter-sql';
import { inMemoryDatabase } from '@slipstream/adapter-sql/testing';
import { ONLY_BY_NAME } from '@slipstream/domain';
import type { Log, Storage as OpenedStorage } from '@slipstream/ports';
import { type OperationName, type ResponseOf, operations } from '@slipstream/wire';
import { type Adapters, type RunningServer, openServer, readSettings } from '../../src/index.js';
import { type Answer, type Call, call } from './call.js';
import { StreamClient } from './stream-client.js';
import { OVER_NODES, threeNodes } from './three-nodes.js';

/** A Wednesday, 10:00 in New York: the exchanges are in session. */
export const IN_SESSION = Date.parse('2026-03-04T15:00:00.000Z');
export const OPERATOR_TOKEN = 'operator-token-of-the-tests';
export type Storage = 'memory' | 'sqlite' | 'PostgreSQL of three nodes';
export const STORAGES: readonly Storage[] = OVER_NODES
  ? ['PostgreSQL of three nodes']
  : ['memory', 'sqlite'];

type Fields = Readonly<Record<string, unknown>>;

/** A query as contract 1 writes it: arrays as `name[]`. */
export const queryOf = (fields: Fields): string =>
  Object.entries(fields)
    .flatMap(([name, value]) =>
      Array.isArray(value)
        ? value.map((item) => [`${name}[]`, String(item)])
        : [[name, String(value)]],
    )
    .map((pair) => pair.map((part) => encodeURIComponent(part ?? '')).join('='))
    .join('&');

/** An operation by its name, whatever comes back; alerts carry the token in their body. */
export function attempt(
  url: string,
  name: OperationName,
  fields: Fields = {},
  token?: string,
): Promise<Answer> {
  const { method, path, auth } = operations[name];
  if (method === 'GET') return call(url, method, path, { query: queryOf(fields), token });
  return auth === 'body'
    ? call(url, method, path, { body: { ...fields, api_token: token } })
    : call(url, method, path, { body: fields, token });
}

/** An operation that must succeed: its `response`. */
export async function ask<Name extends OperationName>(
  url: string,
  name: Name,
  fields: Fields = {},
  token?: string,
): Promise<ResponseOf<Name>> {
  const { status, text, body } = await attempt(url, name, fields, token);
  if (status !== 200) throw new Error(`${name} answered ${status}: ${text}`);
  return body?.response as ResponseOf<Name>;
}

export interface ComposedOptions {
  readonly storage?: Storage;
  /** Where the SQLite file lies; a folder of its own, removed at the end, unless told. Nodes have one database for each. */
  readonly folder?: string;
  readonly clock?: FixedClock;
  readonly log?: Log;
  readonly environment?: Readonly<Record<string, string>>;
  readonly adapters?: Adapters;
  /** What the server uses instead of its storage. */
  readonly through?: (storage: OpenedStorage) => OpenedStorage;
}

export interface ComposedServer {
  readonly url: string;
  readonly clock: FixedClock;
  readonly application: RunningServer['application'];
  attempt(name: OperationName, fields?: Fields, token?: string): Promise<Answer>;
  ask<Name extends OperationName>(
    name: Name,
    fields?: Fields,
    token?: string,
  ): Promise<ResponseOf<Name>>;
  call(method: string, path: string, call?: Call): Promise<Answer>;
  /** A token of every scope, of a user of that name; made without a password, which would take its time. */
  user(name: string, ...scope: string[]): Promise<string>;
  /** The stocks' quotes now: `{ 'AAPL:NASDAQ': 100 }` or `[bid, ask]`. */
  quotes(prices: Readonly<Record<string, number | readonly [number, number]>>): Promise<void>;
  stream(token?: string): Promise<StreamClient>;
  /** As SIGTERM does. */
  shutDown(): Promise<void>;
  /** Ends the test's streams, stops the server and removes its files. */
  close(): Promise<void>;
}

/** A folder for a test's files. */
export const newFolder = (): string => mkdtempSync(join(tmpdir(), 'slipstream-server-'));

let migrated: Buffer | undefined;

/** A database as the migrations leave it, copied for each server: to migrate takes longer than most tests. */
function migratedDatabase(): Buffer {
  if (migrated) return migrated;
  const database = inMemoryDatabase();
  migrated = database.image();
  database.close();
  return migrated;
}

/** The whole server in this process, on a port of its own, whose time goes by only when a test says so. */
export async function composedServer(options: ComposedOptions = {}): Promise<ComposedServer> {
  const {
    storage = 'memory',
    clock = fixedClock(IN_SESSION),
    log = silentLog(),
    adapters,
    through,
  } = options;
  const isOverNodes = OVER_NODES || storage === 'PostgreSQL of three nodes';
  const folder = options.folder ?? newFolder();
  const sqlite = join(folder, 'slipstream.db');
  if (storage === 'sqlite' && !existsSync(sqlite)) writeFileSync(sqlite, migratedDatabase());
  const environment = {
    PORT: '0',
    MARKET: 'push',
    OPERATOR_TOKEN,
    DATABASE_URL: storage === 'memory' ? 'memory:' : `sqlite:${sqlite}`,
    RATE_LIMITS: 'reads=1000000,writes=1000000,alerts=1000000,failures=1000000',
    CONNECTION_LIMITS: 'anonymous=1000,user=1000',
    ...((adapters?.unitOfWork ?? through ?? isOverNodes) && {
      SECRET_KEY: 'the master key of the tests and their servers',
    }),
    ...options.environment,
  };
  if (isOverNodes) {
    const asked = { ...options.environment, ...adapters };
    for (const name of ['DATABASE_URL', 'FRONTS', 'unitOfWork'])
      if (name in asked)
        throw new Error(`three nodes have their own ${name}: skip the test (itOne)`);
  }
  const timers = { every: () => () => undefined };
  const ports = { clock, timers, ...adapters };
  const server = await (isOverNodes
    ? threeNodes({ environment, log, adapters: ports, through, folder: options.folder })
    : openServer(readSettings(environment), log, {
        ...ports,
        ...(through && {
          unitOfWork: through(
            storage === 'memory' ? openMemory() : await openSqlite({ path: sqlite }),
          ),
        }),
      }));
  const { url, application } = server;
  const next = 'next' in server ? server.next : () => url;
  const streams: StreamClient[] = [];
  return {
    url,
    clock,
    application,
    attempt: (name, fields, token) => attempt(next(), name, fields, token),
    ask: (name, fields, token) => ask(next(), name, fields, token),
    call: (method, path, given) => call(next(), method, path, given),
    async user(name, ...scope) {
      const { text } = await application.lifecycle.issueToken({
        email: `${name}@example.com`,
        name,
        scope: scope.length > 0 ? scope : ['*', ...ONLY_BY_NAME],
        createUser: true,
      });
      return text;
    },
    async quotes(prices) {
      const quotes = Object.entries(prices).map(([stock_id, price]) => {
        const [bid, ask] = typeof price === 'number' ? [price, price] : price;
        return { stock_id, bid, ask, last: bid };
      });
      const { rejected } = await ask(next(), 'newQuotes', { quotes }, OPERATOR_TOKEN);
      if (rejected.length > 0) throw new Error(JSON.stringify(rejected));
    },
    async stream(token) {
      const client = await StreamClient.open(next(), token);
      streams.push(client);
      return client;
    },
    shutDown: () => server.close(),
    async close() {
      for (const client of streams) client.stop();
      await server.close();
      if (options.folder === undefined) rmSync(folder, { recursive: true, force: true });
    },
  };
}
