import pg from 'pg';
import type { Query } from '../storage/queries.js';
import { ConnectionLost, ServerError, codeOf } from '../storage/failures.js';
import { UnusableDatabase } from '../storage/own-file.js';

/** What a statement answered. */
export interface Result {
  readonly rows: unknown[];
  /** How many rows it changed, or answers. */
  readonly count: number;
  /** `COMMIT`, or `ROLLBACK` where a commit was asked for in vain. */
  readonly command: string;
}

/** A connection whose statements are sent at once, and answered in their order. */
export interface Client {
  /** It counts as lost when its answer does not come in time, unless it may take as long as it likes. */
  query(query: Query<unknown>, pace?: 'unhurried'): Promise<Result>;
  /** Several statements without parameters, at the same pace. */
  script(sql: string, pace?: 'unhurried'): Promise<void>;
  /** False once the connection is lost. */
  readonly isUsable: boolean;
  /** Says goodbye after the answers that are awaited. */
  end(): Promise<void>;
  /** Ends it at once, whatever is awaited. */
  destroy(): void;
}

/** A statement of this package's own. */
export const asQuery = (sql: string, ...parameters: readonly unknown[]): Query<unknown> => ({
  sql,
  parameters,
});

/** How many of the statements that vary have a name: each one takes memory in every session of the server. */
const MOST_VARYING = 200;

/** How long a connection may take, and an answer, in milliseconds: then it counts as lost. */
const PATIENCE = { connect: 5_000, answer: 30_000 };
/**
 * After so many idle milliseconds the system asks the other side for a sign of life: firewalls and balancers between forget a
 * connection that is idle for minutes, and tell nobody.
 */
const KEPT_ALIVE = 30_000;
/** The longest time of a timer. The driver takes it; its types do not say so. */
const UNHURRIED: object = { query_timeout: 2 ** 31 - 1 };

const NUMBERS: ReadonlySet<number> = new Set<number>([
  pg.types.builtins.INT8,
  pg.types.builtins.INT4,
  pg.types.builtins.INT2,
  pg.types.builtins.NUMERIC,
]);
const types = {
  getTypeParser: (oid: number) => (kept: string) => (NUMBERS.has(oid) ? Number(kept) : kept),
};

interface Statement {
  readonly text: string;
  readonly name?: string;
}
const known = new Map<string, Statement>();
let varying = 0;

/** In PostgreSQL's words, named so that each connection prepares it once. */
function statementOf({ sql, varies }: Query<unknown>): Statement {
  const statement = known.get(sql);
  if (statement) return statement;
  let place = 0;
  const text = sql.replaceAll('?', () => `$${(place += 1)}`);
  if (varies) {
    if (varying === MOST_VARYING) return { text };
    varying += 1;
  }
  const named = { text, name: `s${known.size}` };
  known.set(sql, named);
  return named;
}

/**
 * As PostgreSQL takes it: its largest and smallest whole numbers stand for what is beyond every number, and U+FFFD for
 * the NUL character, which its texts cannot contain.
 */
function sendable(parameter: unknown): unknown {
  if (typeof parameter === 'string')
    return parameter.includes('\0') ? parameter.replaceAll('\0', '\uFFFD') : parameter;
  if (Array.isArray(parameter)) return parameter.map(sendable);
  if (parameter === Infinity) return '9223372036854775807';
  return parameter === -Infinity ? '-9223372036854775808' : parameter;
}

/** PostgreSQL's own errors have a code of five characters; all others are of the connection. */
const ofServer = (error: unknown): boolean =>
  /^[0-9A-Z]{5}$/.test(codeOf(error)) && !/^E[A-Z]{4}$/.test(codeOf(error));
const told = (error: unknown): Error =>
  error instanceof Error && ofServer(error)
    ? new ServerError(error.message, codeOf(error))
    : new ConnectionLost(error);

/** What the driver makes of the address of a database: it decodes it, and reads the files that it names. */
function clientOf(config: pg.ClientConfig): pg.Client {
  try {
    return new pg.Client(config);
  } catch (error) {
    throw new UnusableDatabase(
      `its address cannot be used (${(error as Error).message}): write % as %25 in it, and name files that can be read`,
    );
  }
}

/**
 * Connects to the database of the URL. Rejects with `ConnectionLost` when nobody is there, and with `UnusableDatabase` when the URL
 * cannot be used. `name` is what the server's
 * own lists call the connection; `settings` are those of its session; an answer may take `patience` milliseconds.
 */
export async function connect(
  url: string,
  name: string,
  settings: Readonly<Record<string, string | number>> = {},
  patience: number = PATIENCE.answer,
): Promise<Client> {
  const options = Object.entries(settings).map(([key, value]) => `-c ${key}=${value}`);
  const client = clientOf({
    connectionString: url,
    application_name: name,
    options: options.join(' '),
    types: types,
    keepAlive: true,
    keepAliveInitialDelayMillis: KEPT_ALIVE,
    connectionTimeoutMillis: PATIENCE.connect,
    query_timeout: patience,
    pipeline: true,
  });
  let isUsable = true;
  const lose = (): void => {
    isUsable = false;
  };
  // Whoever awaits an answer is told; without a listener the process would end.
  client.on('error', lose);
  client.on('end', lose);
  try {
    await client.connect();
  } catch (error) {
    void client.end().catch(() => undefined);
    throw told(error);
  }
  return {
    get isUsable() {
      return isUsable;
    },
    async query(query, pace) {
      try {
        const { rows, rowCount, command } = await client.query<object>({
          ...statementOf(query),
          values: query.parameters.map(sendable),
          ...(pace && UNHURRIED),
        });
        return { rows, count: rowCount ?? 0, command };
      } catch (error) {
        throw told(error);
      }
    },
    async script(text, pace) {
      try {
        await client.query({ text, ...(pace && UNHURRIED) });
      } catch (error) {
        throw told(error);
      }
    },
    async end() {
      lose();
      await client.end().catch(() => undefined);
    },
    destroy() {
      lose();
      // Its socket; `end` would wait for the answers.
      (
        client as unknown as { connection: { stream: { destroy(): void } } }
      ).connection.stream.destroy();
    },
  };
}
