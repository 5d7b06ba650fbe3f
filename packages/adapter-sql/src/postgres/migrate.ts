import { UnusableDatabase } from '../storage/own-file.js';
import { type Client, asQuery } from './client.js';
import { postgresMigrations } from './migrations.js';

const tables = asQuery(`SELECT relname AS name FROM pg_class
  WHERE relnamespace = current_schema()::regnamespace AND relkind = 'r'`);

/** Servers of the release before would go on over a schema that they do not know. */
const others = asQuery(`SELECT 1 FROM pg_stat_activity WHERE datname = current_database()
  AND application_name ~ '^slipstream [0-9a-f]{8}-[0-9a-f-]+$'
  AND application_name <> current_setting('application_name')`);

/**
 * Brings the schema up to date, all or nothing, and answers the names of what was applied. Throws `UnusableDatabase` when
 * the database is of a later release, has tables of something else, or must be changed while a server runs over it.
 */
export async function migratePostgres(
  client: Client,
  known: Readonly<Record<string, string>> = postgresMigrations,
): Promise<string[]> {
  await client.script('BEGIN');
  try {
    const found = (await client.query(tables)).rows as readonly { readonly name: string }[];
    const isOurs = found.some(({ name }) => name === 'migrations');
    if (found.length > 0 && !isOurs)
      throw new UnusableDatabase(
        'the database has tables that are not of Slipstream; nothing in it was changed',
      );
    // Two processes that start together migrate one after the other.
    await client.script(`CREATE TABLE IF NOT EXISTS migrations (name TEXT PRIMARY KEY);
      LOCK TABLE migrations IN ACCESS EXCLUSIVE MODE`);
    const { rows } = await client.query(asQuery('SELECT name FROM migrations'));
    const applied = new Set((rows as readonly { readonly name: string }[]).map(({ name }) => name));
    const later = [...applied].find((name) => !(name in known));
    if (later !== undefined)
      throw new UnusableDatabase(
        `the database is of a later release: it has migration ${later}. Use that release, or a backup from before`,
      );
    const missing = Object.entries(known).filter(([name]) => !applied.has(name));
    if (missing.length > 0 && (await client.query(others)).count > 0)
      throw new UnusableDatabase(
        'the database is of an earlier release, and a server of that release runs over it: stop all of them, then start this one',
      );
    for (const [name, sql] of missing) {
      await client.script(sql);
      await client.query(asQuery('INSERT INTO migrations (name) VALUES (?)', name));
    }
    await client.script('COMMIT');
    return missing.map(([name]) => name);
  } catch (error) {
    await client.script('ROLLBACK').catch(() => undefined);
    throw error;
  }
}
