import { randomUUID } from 'node:crypto';
import { type Client, createClient } from '@slipstream/client';
import type { Command } from 'commander';
import { type Columns, print, table } from './output.js';

export type Environment = Readonly<Record<string, string | undefined>>;

interface RemoteOptions {
  readonly url?: string;
  readonly token?: string;
  readonly json?: boolean;
}

/** What a command that talks to a running server works with. */
export interface Remote {
  readonly client: Client;
  readonly json: boolean;
  /** The records as JSON or as a table; `none` when there are none. */
  showAll<Row>(rows: readonly Row[], columns: Columns<Row>, none: string): void;
  /** One record, a line a heading, or as JSON. */
  showOne<Row>(row: Row, columns: Columns<Row>): void;
  /** The response as JSON, or what it means for a person. */
  tell(response: unknown, sentence: string): void;
}

/** Adds what every such command takes, and gives its action a connection. */
export function remote<Given extends unknown[]>(
  command: Command,
  environment: Environment,
  action: (remote: Remote, ...given: Given) => Promise<void>,
): Command {
  return command
    .option('--url <url>', 'where the server listens (SLIPSTREAM_URL, http://127.0.0.1:3000)')
    .option('--token <token>', 'an api token (SLIPSTREAM_TOKEN)')
    .option('--json', 'the response as JSON, for programs')
    .action(async (...given: unknown[]) => {
      const options = command.opts<RemoteOptions>();
      await action(connected(options, environment), ...(given.slice(0, -1) as Given));
    });
}

function connected({ url, token, json = false }: RemoteOptions, environment: Environment): Remote {
  const client = createClient({
    url: url ?? environment['SLIPSTREAM_URL'] ?? 'http://127.0.0.1:3000',
    token: token ?? environment['SLIPSTREAM_TOKEN'],
    newKey: randomUUID,
  });
  const asJson = (value: unknown): void => print(JSON.stringify(value, null, 2));
  return {
    client,
    json,
    showAll(rows, columns, none) {
      if (json) asJson(rows);
      else print(rows.length > 0 ? table(rows, columns) : none);
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
    tell(response, sentence) {
      if (json) asJson(response);
      else print(sentence);
    },
  };
}
