import { UnusableDatabase } from '../storage/own-file.js';
import { type Client, asQuery } from './client.js';
import { postgresMigrations } from './migrations.js';

const tables = asQuery(`SELECT relname AS name FROM pg_class
  WHERE relnamespace = current_schema()::regnamespace AND relkind = 'r'`);

/**
 * Brings the schema up to date, all or nothing, and answers the names of what was applied. Throws `UnusableDatabase` when
 * the database is of a later release, or has tables of something else.
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
