import { randomUUID } from 'node:crypto';
import { connect } from './postgres/client.js';
import { type PostgresNode, joinIn } from './postgres/join.js';
import type { NodeAddress } from './postgres/nodes/node.js';
import { hostTime } from './storage/host-time.js';
import type { SqlUnitOfWork } from './storage/unit-of-work.js';

export type { NodeAddress, PostgresNode };

/** Where the database is, and what to do when it is lost. */
export interface PostgresOptions {
  /** `postgres://user:password@host:port/database`. */
  readonly url: string;
  /** How long a work may wait for something other than its stores, in milliseconds; by default 2,000. */
  readonly patience?: number;
  /** After how many milliseconds without a sign of life this process counts as ended; by default 5,000. */
  readonly lease?: number;
  /** Called once when another process took the database, or it has lost commits: nothing can be committed any more. */
  readonly onEnded?: () => void;
  /** Called once when the operator asks this process to end, so that another one takes the database. */
  readonly onDrained?: () => void;
  /** Called once when the schema was brought up to date, with the names of the migrations: all of them for a new database. */
  readonly onMigrated?: (migrations: readonly string[]) => void;
}

/** The database without whoever uses it, for errors. */
function labelOf(url: string): string {
  const { host, pathname } = new URL(url);
  return `${host}${pathname}`;
}

const joinWith = (
  { url, ...options }: PostgresOptions,
  nodeUrl: string | null,
): Promise<PostgresNode> =>
  joinIn(
    {
      connect: (name, settings) => connect(url, name, settings),
      ...{ time: hostTime, node: randomUUID(), database: labelOf(url) },
    },
    { ...options, nodeUrl },
  );

/**
 * Opens the database, brings its schema up to date, and makes this process its owner. Throws `DatabaseInUse` when another
 * process has it open, and `UnusableDatabase` when it is of something else.
 */
export async function openPostgres(options: PostgresOptions): Promise<SqlUnitOfWork> {
  const node = await joinWith(options, null);
  return node.storage().catch(async (error: unknown) => {
    await node.end();
    throw error;
  });
}

/**
 * Joins the processes over a database, each of which the others reach at its `nodeUrl`. Throws `UnusableDatabase` when the
 * schema is not of this release while others run over it.
 */
export const joinPostgres = ({
  nodeUrl,
  ...options
}: PostgresOptions & { readonly nodeUrl: string }): Promise<PostgresNode> =>
  joinWith(options, nodeUrl);
