import { randomUUID } from 'node:crypto';
import { type Client, RequestFailed, createClient, isServerUrl } from '@slipstream/client';
import { Refusal } from '@slipstream/domain';
import type { OperationName } from '@slipstream/wire';
import type { Command } from 'commander';
import { type Columns, printError, print, table } from './output.js';

/** Milliseconds after which a line says that the program waits for an answer. */
const PATIENCE = 1000;

/** Records of a page when a request names no limit, and at most. */
export const PAGE = 100;

export type Environment = Readonly<Record<string, string | undefined>>;

interface RemoteOptions {
  readonly url?: string;
  readonly token?: string;
  readonly json?: boolean;
}

/** What an operation needs that only the operator may call: no sign-in gives it. */
export const OPERATOR = Symbol('the token of the operator');

/** The token was refused and may lack this scope; the service does not say which scope is missing. */
export class ScopeRefused extends RequestFailed {
  constructor(
    { status, code, message, requestId }: RequestFailed,
    readonly scope: string | typeof OPERATOR,
  ) {
    super(status, code, message, requestId);
  }
}

/** Awaits an answer that needs the scope; if the token is refused, the error names the scope. */
export async function needing<Answer>(
  scope: string | typeof OPERATOR,
  answer: Promise<Answer>,
): Promise<Answer> {
  try {
    return await answer;
  } catch (error) {
    const isRefused = error instanceof RequestFailed && error.status === 401;
    throw isRefused ? new ScopeRefused(error, scope) : error;
  }
}

/** The tools of a command that calls a running server. */
export interface Remote {
  readonly client: Client;
  /** The command that started this program, for hints. */
  readonly name: string;
  readonly json: boolean;
  /** Prints the response as JSON. */
  show(response: unknown): void;
  /** Prints the records as JSON or as a table; prints `none` if there are no records. */
  showAll<Row>(rows: readonly Row[], columns: Columns<Row>, none: string): void;
  /** The same of a list that the operation answers in pages, newest first; tells people how to ask for what is after the last one. `limit` is the page that they asked for. */
  showPage<Row>(
    operation: OperationName,
    rows: readonly Row[],
    columns: Columns<Row>,
    none: string,
    after: (last: Row) => Readonly<Record<string, string>>,
    limit?: string,
  ): void;
  /** Prints one record, with a line for each heading, or as JSON. */
  showOne<Row>(row: Row, columns: Columns<Row>): void;
  /** Prints the response as JSON, or a text for people. */
  showText(response: unknown, sentence: string): void;
}

/** Adds the options of every command that calls a server, and passes its action a connection. */
export function remote<Given extends unknown[]>(
  command: Command,
  environment: Environment,
  action: (remote: Remote, ...given: Given) => Promise<void>,
): Command {
  return command
    .option('--url <url>', 'the address of the server (SLIPSTREAM_URL, http://127.0.0.1:3000)')
    .option('--token <token>', 'an api token (SLIPSTREAM_TOKEN)')
    .option('--json', 'print the response as JSON, for programs')
    .action(async (...given: unknown[]) => {
      const options = command.opts<RemoteOptions>();
      const connection = connected(options, environment, rootOf(command).name());
      await action(connection, ...(given.slice(0, -1) as Given));
    });
}

const rootOf = (command: Command): Command => (command.parent ? rootOf(command.parent) : command);

/** Prints after a second that the program waits for an answer. */
const patientFetch: typeof fetch = async (input, init) => {
  const waiting = setTimeout(() => printError('Waiting for the server to answer …'), PATIENCE);
  try {
    return await fetch(input, init);
  } finally {
    clearTimeout(waiting);
  }
};

function connected(options: RemoteOptions, environment: Environment, name: string): Remote {
  const { token, json = false } = options;
  // A variable that is set to nothing, as a compose file does for one that is not there, is not set.
  const { SLIPSTREAM_URL: setUrl, SLIPSTREAM_TOKEN: setToken } = environment;
  const url = options.url ?? (setUrl || 'http://127.0.0.1:3000');
  if (!isServerUrl(url))
    throw new Refusal(
      'invalid_field',
      `${options.url === undefined ? 'SLIPSTREAM_URL' : '--url'} is no address of a server: write one such as http://127.0.0.1:3000, without a user, a query or a fragment`,
    );
  const client = createClient({
    url,
    token: token ?? (setToken || undefined),
    newKey: randomUUID,
    fetch: patientFetch,
    waitForServer: false,
  });
  const asJson = (value: unknown): void => print(JSON.stringify(value, null, 2));
  const showAll: Remote['showAll'] = (rows, columns, none) => {
    if (json) asJson(rows);
    else print(rows.length > 0 ? table(rows, columns) : none);
  };
  return {
    client,
    name,
    json,
    show: asJson,
    showAll,
    showPage(operation, rows, columns, none, after, limit = String(PAGE)) {
      showAll(rows, columns, none);
      const last = rows.at(-1);
      if (json || rows.length < Number(limit) || last === undefined) return;
      const words = Object.entries(after(last)).map(([field, value]) => `${field}=${value}`);
      printError(
        `The newest ${rows.length} are shown. Older ones: ${name} call ${operation} ${words.join(' ')}`,
      );
    },
    showOne(row, columns) {
      if (json) return asJson(row);
      const lines = Object.entries(columns).map(([heading, cell]) => ({
        heading,
        text: cell(row),
      }));
      print(
        table(lines, { '': ({ heading }) => heading, ' ': ({ text }) => text }).replace(
          /^.*\n/,
          '',
        ),
      );
    },
    showText(response, sentence) {
      if (json) asJson(response);
      else print(sentence);
    },
  };
}
