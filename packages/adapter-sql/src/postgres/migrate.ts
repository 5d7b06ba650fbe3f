import { codeOf } from '../storage/failures.js';
import { UnusableDatabase } from '../storage/own-file.js';
import { type Client, asQuery } from './client.js';
import { postgresMigrations } from './migrations.js';

/** The oldest PostgreSQL that is tested. */
const OLDEST = 15;

/** The server, and the names of the tables that are there as JSON. */
const surroundings = asQuery(`SELECT current_setting('server_version') AS version,
  current_setting('server_version_num')::int / 10000 AS major, current_setting('transaction_read_only') AS "onlyReads",
  (SELECT coalesce(json_agg(relname), '[]') FROM pg_class
    WHERE relnamespace = current_schema()::regnamespace AND relkind = 'r') AS tables`);

interface Surroundings {
  readonly version: string;
  readonly major: number;
  readonly onlyReads: 'on' | 'off';
  readonly tables: string;
}

const encoding = asQuery(`SELECT current_setting('server_encoding') AS encoding`);

/**
 * Servers of the release before would go on over a schema that they do not know. One that has not entered yet looks at the
 * schema when it does.
 */
const others = asQuery(`SELECT 1 FROM pg_stat_activity
  JOIN nodes ON application_name = 'slipstream ' || nodes.id
  WHERE datname = current_database() AND application_name <> current_setting('application_name')`);

/**
 * Brings the schema up to date, all or nothing, and answers the names of what was applied. Throws `UnusableDatabase` when
 * the database is of a later release, has tables of something else, or must be changed while a server runs over it.
 */
export async function migratePostgres(
  client: Client,
  known: Readonly<Record<string, string>> = postgresMigrations,
): Promise<string[]> {
  try {
    return await migrateOnce(client, known);
  } catch (error) {
    // Another process made the first table at the same moment: it is there now.
    if (codeOf(error) !== TAKEN) throw error;
    return migrateOnce(client, known);
  }
}

/** A name that was free a moment ago. */
const TAKEN = '23505';

/** Throws unless the PostgreSQL is one over which a server can run. */
function requireServer({ version, major, onlyReads }: Surroundings): void {
  if (major < OLDEST)
    throw new UnusableDatabase(`PostgreSQL ${version} is too old: it must be ${OLDEST} or later`);
  if (onlyReads === 'on')
    throw new UnusableDatabase(
      'the database only reads: it is a replica, or default_transaction_read_only is on',
    );
}

/**
 * Whether the database has our tables. Throws `UnusableDatabase` when its PostgreSQL is too old or only reads, when it has those
 * of something else, or none and could not keep ours.
 */
export async function hasOurTables(client: Client): Promise<boolean> {
  const [row] = (await client.query(surroundings)).rows;
  const around = row as Surroundings;
  requireServer(around);
  const found = JSON.parse(around.tables) as readonly string[];
  if (found.includes('migrations')) return true;
  if (found.length > 0)
    throw new UnusableDatabase(
      'the database has tables that are not of Slipstream; nothing in it was changed',
    );
  const [asked] = (await client.query(encoding)).rows as readonly { readonly encoding: string }[];
  if (asked?.encoding !== 'UTF8')
    throw new UnusableDatabase(
      `the database has the encoding ${asked?.encoding}; make one with UTF8: createdb --encoding UTF8 --template template0`,
    );
  return false;
}

async function migrateOnce(
  client: Client,
  known: Readonly<Record<string, string>>,
): Promise<string[]> {
  // Whoever migrates may take longer than a lock is otherwise awaited.
  await client.script('BEGIN; SET LOCAL lock_timeout = 0');
  try {
    await hasOurTables(client);
    // Two processes that start together migrate one after the other.
    await client.script(
      `CREATE TABLE IF NOT EXISTS migrations (name TEXT PRIMARY KEY);
      LOCK TABLE migrations IN ACCESS EXCLUSIVE MODE`,
      'unhurried',
    );
    const { rows } = await client.query(asQuery('SELECT name FROM migrations'));
    const applied = new Set((rows as readonly { readonly name: string }[]).map(({ name }) => name));
    const later = [...applied].find((name) => !(name in known));
    if (later !== undefined)
      throw new UnusableDatabase(
        `the database is of a later release: it has migration ${later}. Use that release, or a backup from before`,
      );
    const missing = Object.entries(known).filter(([name]) => !applied.has(name));
    if (missing.length > 0 && applied.has('0056-nodes')) {
      if ((await client.query(others)).count > 0)
        throw new UnusableDatabase(
          'the database is of an earlier release, and a server of that release runs over it: stop all of them, then start this one',
        );
      // One that is paused or cut off from the database may come back.
      await client.query(asQuery('DELETE FROM nodes'));
    }
    for (const [name, sql] of missing) {
      await client.script(sql, 'unhurried');
      await client.query(asQuery('INSERT INTO migrations (name) VALUES (?)', name));
    }
    await client.script('COMMIT', 'unhurried');
    return missing.map(([name]) => name);
  } catch (error) {
    await client.script('ROLLBACK').catch(() => undefined);
    throw error;
  }
}
