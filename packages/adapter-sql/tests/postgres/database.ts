import { connect as connectTo } from 'node:net';
import { text } from 'node:stream/consumers';
import { type Client, connect } from '../../src/postgres/client.js';
import { migratePostgres } from '../../src/postgres/migrate.js';
import { poolOf } from '../../src/postgres/pool.js';
import { postgresSnapshots } from '../../src/postgres/snapshots.js';
import { schemaOf } from '../../src/postgres/row-writes.js';
import { PostgresTransaction } from '../../src/postgres/transaction.js';
import { hostTime } from '../../src/storage/host-time.js';
import type { Query } from '../../src/storage/queries.js';
import type { RecordCache } from '../../src/storage/record-cache.js';
import { type SqlUnitOfWork, unitOfWorkOver } from '../../src/storage/unit-of-work.js';

export const q = (sql: string, ...parameters: readonly unknown[]): Query<unknown> => ({
  sql,
  parameters,
});

/** Tables whose first rows a migration makes: they are not emptied. */
const KEPT = ['migrations', 'shards', 'counts'];

/** A database of this worker alone. */
export interface TestDatabase {
  readonly url: string;
  /** Statements beside the storages. */
  readonly client: Client;
  /** As after the migrations. Nobody may have it open. */
  empty(): Promise<void>;
  /** Ends every other session of this database; the same server has the databases of other workers. */
  cut(): Promise<void>;
}

/** The server of this run of the tests; it starts when it is first asked for. */
async function serverUrl(): Promise<string> {
  const answer = await text(connectTo(process.env['SLIPSTREAM_TEST_DATABASE'] ?? ''));
  const { url, error } = JSON.parse(answer) as { readonly url?: string; readonly error?: string };
  if (url === undefined) throw new Error(error);
  return url;
}

const OF_WORKER = `slipstream_${process.env['JEST_WORKER_ID'] ?? '1'}`;

/** Drops the database, and makes it anew when told. Answers where it is. */
async function replaced(name: string, ...making: readonly string[]): Promise<string> {
  const server = await serverUrl();
  const admin = await connect(server, 'tests');
  for (const statement of [`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`, ...making])
    await admin.script(statement);
  await admin.end();
  return server.replace(/\/[^/]*$/, `/${name}`);
}

let made = 0;
let template: Promise<string> | undefined;

/** A database that a test has for itself. */
export interface OwnDatabase {
  readonly url: string;
  drop(): Promise<unknown>;
}

/** One more database of this worker, as after the migrations. */
export async function oneMoreDatabase(): Promise<OwnDatabase> {
  const migrated = `${OF_WORKER}_migrated`;
  template ??= replaced(migrated, `CREATE DATABASE ${migrated}`).then(async (url) => {
    const client = await connect(url, 'tests');
    await migratePostgres(client);
    await client.end();
    return url;
  });
  await template;
  const name = `${OF_WORKER}_${(made += 1)}`;
  const url = await replaced(name, `CREATE DATABASE ${name} TEMPLATE ${migrated}`);
  return { url, drop: () => replaced(name) };
}

/** One without any table. */
export async function emptyDatabase(properties = ''): Promise<OwnDatabase> {
  const name = `${OF_WORKER}_empty`;
  const url = await replaced(name, `CREATE DATABASE ${name} TEMPLATE template0 ${properties}`);
  return { url, drop: () => replaced(name) };
}

/** Makes the worker's database anew. */
export async function testDatabase(): Promise<TestDatabase> {
  const url = await replaced(OF_WORKER, `CREATE DATABASE ${OF_WORKER}`);
  const client = await connect(url, 'tests');
  await migratePostgres(client);
  const { rows } = await client.query(
    q(`SELECT table_name AS name FROM information_schema.tables WHERE table_schema = 'public'`),
  );
  const tables = (rows as readonly { readonly name: string }[]).map((row) => row.name);
  const deletions = tables
    .filter((table) => !KEPT.includes(table))
    .map((table) => `DELETE FROM ${table};`);
  return {
    url,
    client,
    async empty() {
      // Entries of chains are otherwise not removed.
      await client.script(`BEGIN; SET LOCAL session_replication_role = replica;
        ${deletions.join('\n')} UPDATE shards SET node = NULL; UPDATE counts SET count = 0; COMMIT`);
    },
    cut: () =>
      client.script(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity
        WHERE datname = current_database() AND pid <> pg_backend_pid()`),
  };
}

const NODE = 'node-1';

/** Makes the node of `storageThrough` the owner of the database, which is empty before. */
export const ownDatabase = ({ client }: TestDatabase): Promise<unknown> =>
  client.script(`INSERT INTO nodes VALUES ('${NODE}'); UPDATE shards SET node = '${NODE}'`);

/** What can be other than a server's. */
interface Otherwise {
  readonly onEnded?: () => void;
  readonly records?: RecordCache;
}

/** A storage whose writer asks through what `wrap` makes of its connection. The database is empty before. */
export async function storageThrough(
  database: TestDatabase,
  wrap: (client: Client) => Client,
  { onEnded = () => undefined, ...others }: Otherwise = {},
): Promise<SqlUnitOfWork> {
  const { url, client } = database;
  await ownDatabase(database);
  const transaction = new PostgresTransaction({
    ...{ node: NODE, time: hostTime, schema: await schemaOf(client) },
    connect: async () => wrap(await connect(url, 'tests')),
    onEnded,
  });
  const pool = poolOf(async () => wrap(await connect(url, 'tests')), 2);
  return unitOfWorkOver({
    ...others,
    transaction,
    openReads: (records, { moment }, rests) => postgresSnapshots(pool, { records, moment }, rests),
    close: () => transaction.close(),
  });
}
